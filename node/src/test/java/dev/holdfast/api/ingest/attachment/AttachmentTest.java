package dev.holdfast.api.ingest.attachment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The `attachment` processor, as clients see it.
final class AttachmentTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  /// An RTF file: `Lorem ipsum dolor sit amet`.
  private static final String LOREM =
      "e1xydGYxXGFuc2kNCkxvcmVtIGlwc3VtIGRvbG9yIHNpdCBhbWV0DQpccGFyIH0=";

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /// What a processor makes of a document; both are written with single quotes.
  private static JsonNode made(String options, String source) throws Exception {
    String body =
        "{'pipeline':{'processors':[{'attachment':{"
            + options
            + "}}]},'docs':[{'_source':"
            + source
            + "}]}";
    return node.ok("POST", "/_ingest/pipeline/_simulate", body.replace('\'', '"')).at("/docs/0");
  }

  private static JsonNode source(String options, String source) throws Exception {
    JsonNode made = made(options, source);
    assertThat(made.has("doc")).as(made.toString()).isTrue();
    return made.at("/doc/_source");
  }

  private static void refuses(String options, String source, String why) throws Exception {
    assertThat(made(options, source).path("error").toString()).contains(why);
  }

  @Test
  void textAndPropertiesOfAFileAreAdded() throws Exception {
    assertThat(source("'field':'data','remove_binary':true", "{'data':'" + LOREM + "'}"))
        .hasToString(
            "{\"attachment\":{\"content\":\"Lorem ipsum dolor sit amet\",\"content_type\":"
                + "\"application/rtf\",\"content_length\":28,\"language\":\"ro\"}}");
    JsonNode some =
        source(
            "'field':'a.b','target_field':'c','properties':['CONTENT','title']",
            "{'a':{'b':'" + base64("<html><title>T</title><body>words</body>") + "'}}");
    assertThat(some.path("c")).hasToString("{\"content\":\"words\",\"title\":\"T\"}");
    assertThat(some.at("/a/b").isTextual()).isTrue();
  }

  @Test
  void theLengthOfTheTextIsLimitedByThePipelineOrByTheDocument() throws Exception {
    String options = "'field':'d','indexed_chars':11,'indexed_chars_field':'n'";
    assertThat(source(options, "{'d':'" + LOREM + "'}").at("/attachment/content").asText())
        .isEqualTo("Lorem ipsum");
    assertThat(source(options, "{'d':'" + LOREM + "','n':5}").at("/attachment/content").asText())
        .isEqualTo("Lorem");
    refuses(options, "{'d':'" + LOREM + "','n':'5'}", "cannot be cast to [java.lang.Integer]");
    refuses(options, "{'d':'" + LOREM + "','n':-2}", "must be -1");
    refuses("'field':'d','max_field_bytes':10", "{'d':'" + LOREM + "'}", "[max_field_bytes]");
  }

  @Test
  void whatIsNoFileIsRefused() throws Exception {
    refuses("'field':'d'", "{}", "field [d] not present as part of path [d]");
    refuses("'field':'d'", "{'d':null}", "field [d] is null, cannot parse.");
    refuses("'field':'d'", "{'d':1}", "must be string or byte array");
    refuses("'field':'d'", "{'d':'%%%'}", "Illegal base64 character");
    refuses("'field':'d','resource_name':'r'", "{'d':'','r':1}", "java.lang.String");
    assertThat(source("'field':'d','ignore_missing':true", "{'e':1}")).hasToString("{\"e\":1}");
    assertThat(source("'field':'d'", "{'d':''}").path("attachment"))
        .hasToString("{\"content_length\":0}");
    String broken = base64("PK\u0003\u0004 no archive at all");
    JsonNode error = made("'field':'d','resource_name':'r'", "{'d':'" + broken + "','r':'a.docx'}");
    assertThat(error.at("/error/type").asText()).isEqualTo("parse_exception");
    assertThat(error.at("/error/reason").asText()).isEqualTo("Error parsing document in field [d]");
    assertThat(error.at("/error/caused_by/type").asText()).isEqualTo("tika_exception");
  }

  @Test
  void elementsOfAListAreFilesToo() throws Exception {
    String body =
        "{'pipeline':{'processors':[{'foreach':{'field':'files','processor':{'attachment':{"
            + "'target_field':'_ingest._value.attachment','field':'_ingest._value.data',"
            + "'remove_binary':true}}}}]},'docs':[{'_source':{'files':[{'data':'"
            + base64("one")
            + "'},{'data':'"
            + base64("two")
            + "'}]}}]}";
    JsonNode files =
        node.ok("POST", "/_ingest/pipeline/_simulate", body.replace('\'', '"'))
            .at("/docs/0/doc/_source/files");
    assertThat(files.at("/0/attachment/content").asText()).isEqualTo("one");
    assertThat(files.at("/1/attachment/content").asText()).isEqualTo("two");
  }

  @Test
  void configurationsAreChecked() throws Exception {
    for (String[] one :
        new String[][] {
          {"", "[field] required property is missing"},
          {"'field':'d','properties':['nothing']", "illegal field option [nothing]"},
          {"'field':'d','properties':'content'", "isn't a list"},
          {"'field':'d','indexed_chars':'many'", "cannot be converted to an int"},
          {"'field':'d','indexed_chars':-7", "must be -1"},
          {"'field':'d','nothing':1", "doesn't support one or more provided configuration"}
        }) {
      String body = "{'processors':[{'attachment':{" + one[0] + "}}]}";
      assertThat(
              node.refused(400, "PUT", "/_ingest/pipeline/bad", body.replace('\'', '"')).toString())
          .contains(one[1]);
    }
  }

  @Test
  void whoKeepsFilesInDocumentsWithoutSayingSoIsWarned() throws Exception {
    String kept =
        "{'processors':[{'foreach':{'field':'f','processor':{'attachment':{'field':'d'}}}}]}";
    assertThat(
            node.call("PUT", "/_ingest/pipeline/kept", kept.replace('\'', '"'))
                .headers()
                .allValues("Warning"))
        .singleElement()
        .asString()
        .contains("remove_binary");
    String said = kept.replace("'field':'d'", "'field':'d','remove_binary':false");
    assertThat(
            node.call("PUT", "/_ingest/pipeline/said", said.replace('\'', '"'))
                .headers()
                .allValues("Warning"))
        .isEmpty();
  }
}

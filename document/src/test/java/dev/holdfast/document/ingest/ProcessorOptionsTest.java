package dev.holdfast.document.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.processor.Processors;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.real.RealWorld;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Options of processors, and what they make of documents.
final class ProcessorOptionsTest {
  private static ObjectNode json(String text) {
    return Json.parseObject(text.replace("'", "\"").replace("~", "\\\""));
  }

  private static ObjectNode run(String processor, String source) {
    PipelineParser parser =
        new PipelineParser(Processors.all(), _ -> null, RealWorld.create().clock());
    IngestDocument document =
        new IngestDocument(
            json(source), Json.object().put("_index", "i"), "2020-01-01T00:00:00.000Z");
    parser.pipeline("p", json("{'processors':[" + processor + "]}")).run(document);
    return document.source();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          {'set':{'field':'b','value':'{{a}}'}} | {'a':'x ~y~'} | x \\"y\\"
          {'set':{'field':'b','value':'{{{a}}}{{& a}}'}} | {'a':'~y~'} | "y""y"
          {'set':{'field':'b','value':'{{a}}','media_type':'text/plain'}} | {'a':'~y~'} | "y"
          {'set':{'field':'b','value':'{{a}}','media_type':'application/x-www-form-urlencoded'}} | {'a':'x &'} | x+%26
          {'set':{'field':'b','value':'{{a}} {{c}}'}} | {'a':['x',[1]],'c':{'d':{},'e':['y']}} | {0=x, 1=[1]} {d={}, e=[y]}
          {'append':{'field':'b','value':'{{a}}','media_type':'text/plain'}} | {'a':'~y~'} | ["\\"y\\""]
          {'append':{'field':'b','copy_from':'a'}} | {'a':[1,null],'b':0} | [0,1,null]
          {'append':{'field':'b','copy_from':'a','ignore_empty_values':true}} | {'a':[1,null,''],'b':0} | [0,1]
          {'append':{'field':'b','value':['{{a}}','c'],'ignore_empty_values':true}} | {} | ["c"]
          {'append':{'field':'b','copy_from':'a','ignore_empty_values':true}} | {'b':0} | 0
          {'join':{'field':'a','target_field':'b','separator':'-'}} | {'a':['x',1.5,{'c':[1,{'d':null}]},[]]} | x-1.5-{c=[1, {d=null}]}-[]
          {'json':{'field':'a','target_field':'b','strict_json_parsing':false}} | {'a':'123 ~foo~'} | 123
          {'json':{'field':'a','target_field':'b'}} | {'a':[1,2]} | [1,2]
          {'uri_parts':{'field':'a','target_field':'b','keep_original':false}} | {'a':'http://u:p@x.org:80/d%20/c.gz?q=1#f'} | {"domain":"x.org","fragment":"f","path":"/d /c.gz","extension":"gz","port":80,"query":"q=1","scheme":"http","user_info":"u:p","username":"u","password":"p"}
          {'uri_parts':{'field':'a','target_field':'b','keep_original':false}} | {'a':'https://[::1]:9200/d%20 {1}?q=a b#'} | {"domain":"[::1]","fragment":"","path":"/d%20 {1}","port":9200,"query":"q=a b","scheme":"https"}
          {'uri_parts':{'field':'a','target_field':'b','keep_original':false}} | {'a':'mailto:x@y.z'} | {"domain":null,"scheme":"mailto"}
          {'kv':{'field':'a','field_split':' ','value_split':'=','strip_brackets':true}} | {'a':'b=(c'} | c
          {'kv':{'field':'a','field_split':' ','value_split':'=','strip_brackets':true}} | {'a':'b=c]'} | c
          {'kv':{'field':'a','field_split':'&','value_split':'=','trim_key':'_','trim_value':'#.'}} | {'a':'_b=.#c.s#'} | c.s
          {'date':{'field':'a','target_field':'b','formats':['ISO8601'],'output_format':'epoch_millis'}} | {'a':'2020-01-01T00:00:01Z'} | 1577836801000
          {'date':{'field':'a','target_field':'b','formats':['ISO8601'],'output_format':'SSSSSSSSS'}} | {'a':'2020-01-01T00:00:01.123456789Z'} | 123456789
          ^{'date':{'field':'a','target_field':'b','formats':['strict_date||d MMMM uuuu'],'locale':'{{c}}','output_format':'strict_date'}}^ | {'a':'3 mars 2020','c':'fr'} | 2020-03-03
          """)
  void anOptionHasItsEffect(String processor, String before, String found) {
    JsonNode b = run(processor, before).path("b");

    assertThat(b.isTextual() ? b.asText() : b.toString()).isEqualTo(found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          {'set':{'field':'b','value':1,'media_type':'text/html'}} | [media_type] property does not contain a supported media type [text/html]
          {'append':{'field':'b','value':1,'copy_from':'a'}} | [copy_from] cannot set both `copy_from` and `value` in the same processor
          {'append':{'field':'b'}} | [value] required property is missing
          {'append':{'field':'b','copy_from':'c'}} | field [c] not present as part of path [c]
          {'json':{'field':'o'}} | field [o] holds an object, no text of JSON
          {'set':{'field':'a','value':'x y'}},{'uri_parts':{'field':'a'}} | unable to parse URI [x y]
          {'set':{'field':'a','value':'http://x:y/ '}},{'uri_parts':{'field':'a'}} | unable to parse URI [http://x:y/ ]
          """)
  void whatIsNoUseIsRefused(String processor, String reason) {
    assertThatThrownBy(() -> run(processor, "{'a':'foo','o':{'x':1}}"))
        .isInstanceOf(Refusal.class)
        .hasMessage(reason);
  }

  /// What one document does with its value is nothing to the next.
  @Test
  void anEmptyValueIsEachDocumentsOwn() {
    PipelineParser parser =
        new PipelineParser(Processors.all(), _ -> null, RealWorld.create().clock());
    IngestPipeline pipeline =
        parser.pipeline(
            "p",
            json(
                "{'processors':[{'csv':{'field':'a','target_fields':['b'],'empty_value':[]}},"
                    + "{'append':{'field':'b','value':'x'}}]}"));
    for (int i = 0; i < 2; i++) {
      IngestDocument document =
          new IngestDocument(json("{'a':''}"), Json.object(), "2020-01-01T00:00:00.000Z");
      pipeline.run(document);

      assertThat(document.source().path("b")).hasSize(1);
    }
  }

  @Test
  void aHandlerIsToldTheInnermostCause() {
    ObjectNode source =
        run(
            "{'convert':{'field':'a','type':'integer','on_failure':[{'set':{'field':'b','value':"
                + "'{{{_ingest.on_failure_message}}}'}}]}}",
            "{'a':'x'}");

    assertThat(source.path("b").asText()).isEqualTo("For input string: \"x\"");
  }
}

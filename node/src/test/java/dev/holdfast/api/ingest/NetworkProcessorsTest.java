package dev.holdfast.api.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.NodeFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Processors of addresses, names and places, as clients see them.
final class NetworkProcessorsTest {
  @TempDir Path folder;

  private static JsonNode simulated(NodeFixture node, String processor, String source)
      throws Exception {
    String body =
        "{'pipeline':{'processors':["
            + processor
            + "]},'docs':[{'_index':'logs-app-main','_source':"
            + source
            + "}]}";
    return node.ok("POST", "/_ingest/pipeline/_simulate", body.replace('\'', '"')).at("/docs/0");
  }

  private static JsonNode source(NodeFixture node, String processor, String source)
      throws Exception {
    JsonNode answer = simulated(node, processor, source);
    assertThat(answer.has("doc")).as(answer.toString()).isTrue();
    return answer.at("/doc/_source");
  }

  private static void refused(NodeFixture node, String processor, String why) throws Exception {
    String body = "{'pipeline':{'processors':[" + processor + "]},'docs':[{'_source':{}}]}";
    assertThat(
            node.refused(400, "POST", "/_ingest/pipeline/_simulate", body.replace('\'', '"'))
                .toString())
        .contains(why);
  }

  @Test
  void addressesAndNames() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      String flow =
          "{'source':{'ip':'128.232.110.120','port':34855},'destination':{'ip':'66.35.250.204',"
              + "'port':80},'network':{'transport':'TCP'}}";
      assertThat(source(node, "{'community_id':{}}", flow).at("/network/community_id").asText())
          .isEqualTo("1:LQU9qZlK+B5F3KDmev6m5PMibrg=");
      assertThat(simulated(node, "{'community_id':{'ignore_missing':false}}", "{}").toString())
          .contains("unable to construct flow");
      refused(node, "{'community_id':{'seed':70000}}", "must be a value between 0 and 65535");
      String networks = "{'network_direction':{'internal_networks':['private','203.0.113.0/24']}}";
      for (String[] one :
          new String[][] {
            {"10.1.1.1", "8.8.8.8", "outbound"},
            {"8.8.8.8", "203.0.113.9", "inbound"},
            {"192.168.1.1", "fd00::1", "internal"},
            {"8.8.8.8", "2001:db8::1", "external"}
          }) {
        String ends = "{'source':{'ip':'" + one[0] + "'},'destination':{'ip':'" + one[1] + "'}}";
        assertThat(source(node, networks, ends).at("/network/direction").asText())
            .isEqualTo(one[2]);
      }
      refused(node, "{'network_direction':{}}", "must be specified");
      refused(node, "{'network_direction':{'internal_networks':['10.0.0.0/99']}}", "named network");
      assertThat(
              source(
                      node,
                      "{'registered_domain':{'field':'f','target_field':'u'}}",
                      "{'f':'www.books.example.co.uk'}")
                  .path("u")
                  .toString())
          .isEqualTo(
              "{\"domain\":\"www.books.example.co.uk\",\"top_level_domain\":\"co.uk\","
                  + "\"registered_domain\":\"example.co.uk\",\"subdomain\":\"www.books\"}");
      assertThat(
              simulated(
                      node,
                      "{'registered_domain':{'field':'f','ignore_missing':false}}",
                      "{'f':'..'}")
                  .toString())
          .contains("unable to set domain information");
    }
  }

  @Test
  void clientsHashesAndSecrets() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      String chrome =
          "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_9_2) AppleWebKit/537.36 (KHTML, like Gecko)"
              + " Chrome/33.0.1750.149 Safari/537.36";
      JsonNode client =
          source(node, "{'user_agent':{'field':'f'}}", "{'f':'" + chrome + "'}").path("user_agent");
      assertThat(client.path("name").asText()).isEqualTo("Chrome");
      assertThat(client.path("version").asText()).isEqualTo("33.0.1750.149");
      assertThat(client.path("os").toString())
          .isEqualTo("{\"name\":\"Mac OS X\",\"version\":\"10.9.2\",\"full\":\"Mac OS X 10.9.2\"}");
      JsonNode unknown =
          source(node, "{'user_agent':{'field':'f'}}", "{'f':'" + "x(".repeat(9000) + "'}");
      assertThat(unknown.at("/user_agent/name").asText()).isEqualTo("Other");
      refused(node, "{'user_agent':{'field':'f','properties':['x']}}", "illegal property value");
      refused(node, "{'user_agent':{'field':'f','regex_file':'x.yml'}}", "is not supported");

      String one = "{'fingerprint':{'fields':['b','a'],'target_field':'h','method':'SHA-256'}}";
      String hash = source(node, one, "{'a':{'y':1,'x':2},'b':3}").path("h").asText();
      assertThat(hash).hasSize(44);
      assertThat(
              source(node, one.replace("'b','a'", "'a','b'"), "{'b':3,'a':{'x':2,'y':1}}")
                  .path("h")
                  .asText())
          .isEqualTo(hash);
      assertThat(source(node, one, "{'a':{'y':1,'x':2},'b':4}").path("h").asText())
          .isNotEqualTo(hash);
      assertThat(simulated(node, one, "{'a':1}").toString()).contains("missing field [b]");
      refused(node, "{'fingerprint':{'fields':['a'],'method':'CRC'}}", "supported hash methods");

      String redact = "{'redact':{'field':'f','patterns':['%{IP:client}','%{EMAILADDRESS:mail}']}}";
      assertThat(
              source(node, redact, "{'f':'from 10.0.0.1 by a@example.com, 10.0.0.2'}")
                  .path("f")
                  .asText())
          .isEqualTo("from <client> by <mail>, <client>");
      refused(node, "{'redact':{'field':'f','patterns':['%{NONE:x}']}}", "Unable to find pattern");
    }
  }

  @Test
  void documentsGoElsewhere() throws Exception {
    try (NodeFixture node = new NodeFixture(folder)) {
      JsonNode routed =
          simulated(
              node,
              "{'reroute':{'dataset':['{{d}}','fall']}},{'fail':{'message':'no'}}",
              "{'d':'A/b-c'}");
      assertThat(routed.at("/doc/_index").asText()).isEqualTo("logs-a_b_c-main");
      assertThat(routed.at("/doc/_source/data_stream/dataset").asText()).isEqualTo("a_b_c");
      assertThat(
              simulated(node, "{'reroute':{'dataset':['{{d}}','fall']}}", "{}")
                  .at("/doc/_index")
                  .asText())
          .isEqualTo("logs-fall-main");
      refused(node, "{'reroute':{'destination':'x','dataset':'y'}}", "can only be set if");
      String dated =
          "{'date_index_name':{'field':'t','index_name_prefix':'m-','date_rounding':'M',"
              + "'date_formats':['ISO8601']}}";
      assertThat(
              simulated(node, dated, "{'t':'2016-04-25T12:02:01.789Z'}").at("/doc/_index").asText())
          .isEqualTo("<m-{2016-04-25T12:02:01.789Z||/M{yyyy-MM-dd|UTC}}>");
      assertThat(simulated(node, dated, "{'t':'x'}").toString()).contains("unable to parse date");

      node.ok(
          "PUT",
          "/_ingest/pipeline/dated",
          "{'processors':[".replace('\'', '"') + dated.replace('\'', '"') + "]}");
      assertThat(
              node.ok("POST", "/w/_doc?pipeline=dated", "{\"t\":\"2016-04-25T12:02:01.789Z\"}")
                  .path("_index")
                  .asText())
          .isEqualTo("m-2016-04-01");
      // and: whoever is sent elsewhere goes through the pipelines of that place, but not in circles
      node.ok(
          "PUT",
          "/_ingest/pipeline/to-b",
          "{\"processors\":[{\"reroute\":{\"destination\":\"b\"}}]}");
      node.ok(
          "PUT",
          "/_ingest/pipeline/to-a",
          "{\"processors\":[{\"reroute\":{\"destination\":\"a\"}}]}");
      node.ok(
          "PUT",
          "/_ingest/pipeline/marks",
          "{\"processors\":[{\"set\":{\"field\":\"m\",\"value\":1}}]}");
      node.ok("PUT", "/a", "{\"settings\":{\"index.default_pipeline\":\"to-b\"}}");
      node.ok("PUT", "/b", "{\"settings\":{\"index.default_pipeline\":\"marks\"}}");
      JsonNode written = node.ok("POST", "/a/_doc?refresh", "{}");
      assertThat(written.path("_index").asText()).isEqualTo("b");
      assertThat(
              node.ok("GET", "/b/_doc/" + written.path("_id").asText(), "")
                  .at("/_source/m")
                  .asInt())
          .isEqualTo(1);
      node.ok("PUT", "/b/_settings", "{\"index.default_pipeline\":\"to-a\"}");
      assertThat(node.refused(400, "POST", "/a/_doc", "{}").toString())
          .contains("index cycle detected while processing pipeline");
    }
  }
}

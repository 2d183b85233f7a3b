package dev.holdfast.api.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Which pipelines a write goes through, and what becomes of it; synonym sets that change under an
/// index.
final class IngestTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void storePipelines() throws Exception {
    pipeline("mark-a", "{'set':{'field':'a','value':1}}");
    pipeline("mark-b", "{'set':{'field':'b','value':'{{_ingest.pipeline}} {{_id}}'}}");
    pipeline("drop", "{'drop':{}}");
    pipeline("fail", "{'fail':{'message':'not you'}}");
    pipeline("move", "{'set':{'field':'_index','value':'moved'}}");
  }

  private static void pipeline(String id, String processor) throws Exception {
    ok("PUT", "/_ingest/pipeline/" + id, "{'processors':[" + processor + "]}");
  }

  /// Bodies are written with single quotes.
  private static JsonNode ok(String method, String target, String body) throws Exception {
    return node.ok(method, target, body.replace('\'', '"'));
  }

  private static JsonNode refused(int status, String method, String target, String body)
      throws Exception {
    return node.refused(status, method, target, body.replace('\'', '"'));
  }

  private static JsonNode source(String index, String id) throws Exception {
    return ok("GET", "/" + index + "/_source/" + id, "");
  }

  @Test
  void aWriteTakesTheDefaultPipelineOfItsIndexUnlessItNamesOneAndThenTheFinalOne()
      throws Exception {
    // given
    ok("PUT", "/both", "{'settings':{'default_pipeline':'mark-a','final_pipeline':'mark-b'}}");
    // when
    ok("PUT", "/both/_doc/1", "{}");
    ok("PUT", "/both/_doc/2?pipeline=_none", "{}");
    ok("POST", "/both/_update/3", "{'doc':{},'doc_as_upsert':true}");
    // then
    assertThat(source("both", "1")).hasToString("{\"a\":1,\"b\":\"mark-b 1\"}");
    assertThat(source("both", "2")).hasToString("{\"b\":\"mark-b 2\"}");
    assertThat(source("both", "3")).hasToString("{\"a\":1,\"b\":\"mark-b 3\"}");
    assertThat(refused(400, "DELETE", "/_ingest/pipeline/mark-b", "").at("/error/reason").asText())
        .isEqualTo(
            "pipeline [mark-b] cannot be deleted because it is the final pipeline for 1 index(es)"
                + " including [both]");
  }

  @Test
  void anUpdateSendsWhatTheScriptOrTheDocumentMakesThroughThePipelines() throws Exception {
    // given
    pipeline("copy", "{'set':{'field':'copied','value':'{{n}}'}}");
    ok("PUT", "/updated", "{'settings':{'default_pipeline':'copy'}}");
    ok("PUT", "/updated/_doc/1?pipeline=_none", "{'n':1}");
    // when
    JsonNode first =
        ok("POST", "/updated/_update/1?_source=true", "{'script':'ctx._source.n = 2'}");
    JsonNode inserted =
        ok(
            "POST",
            "/updated/_update/2",
            "{'script':'ctx._source.n = 3','upsert':{},'scripted_upsert':true}");
    JsonNode idle =
        ok(
            "POST",
            "/updated/_update/1",
            "{'script':{'source':'ctx.op = params.op','params':{'op':'none'}}}");
    JsonNode stale =
        refused(409, "POST", "/updated/_update/1?if_seq_no=0&if_primary_term=1", "{'doc':{'n':9}}");
    // then
    assertThat(first.at("/get/_source")).hasToString("{\"n\":2,\"copied\":\"2\"}");
    assertThat(first.path("_version").asInt()).isEqualTo(2);
    assertThat(inserted.path("result").asText()).isEqualTo("created");
    assertThat(source("updated", "2")).hasToString("{\"n\":3,\"copied\":\"3\"}");
    assertThat(idle.path("result").asText()).isEqualTo("noop");
    assertThat(stale.at("/error/type").asText()).isEqualTo("version_conflict_engine_exception");
    assertThat(source("updated", "1")).hasToString("{\"n\":2,\"copied\":\"2\"}");
    // and a dropped one changes nothing, a deleted one goes, and a missing one is missing
    ok("PUT", "/updated/_settings", "{'index.default_pipeline':'drop'}");
    assertThat(ok("POST", "/updated/_update/1", "{'doc':{'n':9}}").path("result").asText())
        .isEqualTo("noop");
    assertThat(source("updated", "1")).hasToString("{\"n\":2,\"copied\":\"2\"}");
    assertThat(
            ok(
                    "POST",
                    "/updated/_update/1",
                    "{'script':{'source':'ctx.op = params.op','params':{'op':'delete'}}}")
                .path("result")
                .asText())
        .isEqualTo("deleted");
    refused(404, "POST", "/updated/_update/1", "{'doc':{'n':9}}");
    refused(
        404, "POST", "/updated/_update/1", "{'script':'ctx._source.n = 1','scripted_upsert':true}");
  }

  @Test
  void anItemOfABulkThatChangesNothingCountsCopiesAndOneOfOneFunctionIsNoMean() throws Exception {
    // given
    ok("PUT", "/idle/_doc/1", "{'n':5}");
    // when
    JsonNode bulk =
        node.ok(
            "POST",
            "/idle/_bulk?refresh=true",
            "{\"update\":{\"_id\":\"1\"}}\n{\"doc\":{\"n\":5}}\n");
    JsonNode found =
        ok(
            "POST",
            "/idle/_search",
            "{'query':{'function_score':{'score_mode':'avg','functions':[{'weight':2,"
                + "'field_value_factor':{'field':'n'}}]}}}");
    // then
    assertThat(bulk.at("/items/0/update/result").asText()).isEqualTo("noop");
    assertThat(bulk.at("/items/0/update/_shards/successful").asInt()).isOne();
    assertThat(found.at("/hits/max_score").asDouble()).isEqualTo(10);
  }

  @Test
  void aScriptOfAByQueryRunSeesNoVersionThatNobodyReads() throws Exception {
    // given
    ok("PUT", "/versions/_doc/1", "{}");
    ok("PUT", "/versions/_doc/1?refresh=true", "{}");
    // when
    ok(
        "POST",
        "/versions/_update_by_query",
        "{'script':{'source':'ctx._source.v = ctx._version'}}");
    JsonNode internal =
        refused(
            400,
            "POST",
            "/_reindex",
            "{'source':{'index':'versions'},'dest':{'index':'versions-2'},"
                + "'script':{'source':'ctx._version = 5'}}");
    // then
    assertThat(source("versions", "1")).hasToString("{\"v\":-1}");
    assertThat(internal.at("/error/type").asText())
        .isEqualTo("action_request_validation_exception");
  }

  @Test
  void aTemplateGivesAnIndexThatAWriteMakesItsPipeline() throws Exception {
    // given
    ok(
        "PUT",
        "/_index_template/piped",
        "{'index_patterns':['piped-*'],'template':{'settings':{'default_pipeline':'mark-a'}}}");
    // when
    ok("PUT", "/piped-1/_doc/1", "{}");
    // then
    assertThat(source("piped-1", "1")).hasToString("{\"a\":1}");
  }

  @Test
  void eachItemOfABulkFaresAsItsPipelineSays() throws Exception {
    // when
    JsonNode answer =
        ok(
            "POST",
            "/bulk/_bulk?list_executed_pipelines=true",
            """
            {'index':{'_id':'1','pipeline':'mark-a'}}
            {'x':1}
            {'index':{'_id':'2','pipeline':'drop'}}
            {'x':2}
            {'index':{'_id':'3','pipeline':'fail'}}
            {'x':3}
            {'index':{'_id':'4','pipeline':'move'}}
            {'x':4}
            {'index':{'_id':'5','pipeline':'none-such'}}
            {'x':5}
            {'index':{'_id':'6'}}
            {'x':6}
            {'index':{'pipeline':'fail'}}
            {'x':7}
            """);
    // then
    JsonNode items = answer.path("items");
    assertThat(answer.has("ingest_took")).isTrue();
    assertThat(items.at("/0/index/executed_pipelines")).hasToString("[\"mark-a\"]");
    assertThat(items.at("/1/index/result").asText()).isEqualTo("noop");
    assertThat(items.at("/2/index/error/type").asText()).isEqualTo("fail_processor_exception");
    assertThat(items.at("/3/index/_index").asText()).isEqualTo("moved");
    assertThat(items.at("/4/index/error/reason").asText())
        .isEqualTo("pipeline with id [none-such] does not exist");
    assertThat(source("bulk", "6")).hasToString("{\"x\":6}");
    assertThat(items.at("/6/index/_id").asText()).isEqualTo("auto-generated");
    assertThat(source("moved", "4")).hasToString("{\"x\":4}");
    assertThat(refused(404, "GET", "/bulk/_doc/2", "").path("found").asBoolean()).isFalse();
  }

  /// All of them would be one document.
  @Test
  void whatIsNoIdIsNotTakenForOne() throws Exception {
    for (String set :
        List.of(
            "'_id','value':[]", "'_id','value':{}", "'_id','value':''", "'_routing','value':[]")) {
      pipeline("odd", "{'set':{'field':" + set + "}}");

      JsonNode refused = refused(400, "POST", "/odd/_doc?pipeline=odd", "{'x':1}");

      assertThat(refused.at("/error/reason").asText())
          .as(set)
          .matches("(if _id is specified it must not be empty|_(id|routing) is wrong type).*");
    }
    ok("PUT", "/named/_doc/1?refresh=true", "{'x':1}");
    JsonNode refused =
        refused(
            400,
            "POST",
            "/_reindex",
            "{'source':{'index':'named'},'dest':{'index':'odd'},"
                + "'script':{'source':'ctx._id = params.none','params':{'none':''}}}");
    assertThat(refused.toString()).contains("it must not be empty");
  }

  @Test
  void documentsThatAreReindexedGoThroughPipelines() throws Exception {
    // given
    ok("PUT", "/from/_doc/1?refresh=true", "{'x':1}");
    // when
    ok(
        "POST",
        "/_reindex",
        "{'source':{'index':'from'},'dest':{'index':'to','pipeline':'mark-a'}}");
    JsonNode dropped =
        ok(
            "POST",
            "/_reindex",
            "{'source':{'index':'from'},'dest':{'index':'no','pipeline':'drop'}}");
    JsonNode failed =
        refused(
            400,
            "POST",
            "/_reindex",
            "{'source':{'index':'from'},'dest':{'index':'no','pipeline':'fail'}}");
    ok("POST", "/from/_update_by_query?pipeline=mark-b", "{}");
    // then
    assertThat(source("to", "1")).hasToString("{\"x\":1,\"a\":1}");
    assertThat(source("from", "1")).hasToString("{\"x\":1,\"b\":\"mark-b 1\"}");
    assertThat(dropped.path("noops").asInt()).isOne();
    assertThat(failed.at("/failures/0/cause/reason").asText()).isEqualTo("not you");
  }

  @Test
  void aSynonymSetThatChangesChangesSearchesAtOnce() throws Exception {
    // given
    ok("PUT", "/_synonyms/greetings", "{'synonyms_set':[{'id':'a','synonyms':'hello, hi'}]}");
    ok(
        "PUT",
        "/greeted",
        """
        {'settings':{'analysis':{
           'filter':{'f':{'type':'synonym_graph','synonyms_set':'greetings','updateable':true}},
           'analyzer':{'x':{'tokenizer':'standard','filter':['f']}}}},
         'mappings':{'properties':{'t':{'type':'text','search_analyzer':'x'}}}}\
        """);
    ok("PUT", "/greeted/_doc/1?refresh=true", "{'t':'hi there bye'}");
    // then
    assertThat(ok("GET", "/greeted/_count?q=t:hello", "").path("count").asInt()).isOne();
    assertThat(ok("GET", "/greeted/_count?q=t:goodbye", "").path("count").asInt()).isZero();
    // when
    ok("PUT", "/_synonyms/greetings/b", "{'synonyms':'bye, goodbye'}");
    // then
    assertThat(ok("GET", "/greeted/_count?q=t:goodbye", "").path("count").asInt()).isOne();
    JsonNode inUse = refused(400, "DELETE", "/_synonyms/greetings", "");
    assertThat(inUse.at("/error/reason").asText()).endsWith("in the following indices: greeted");
  }
}

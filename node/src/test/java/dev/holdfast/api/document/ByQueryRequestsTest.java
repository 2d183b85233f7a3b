package dev.holdfast.api.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.node.RunningNode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Requests by query that mean nothing are refused before anything is written, and what they mean
/// otherwise is what Elasticsearch takes it for.
final class ByQueryRequestsTest {
  @RegisterExtension static final RunningNode node = RunningNode.alone();

  @BeforeAll
  static void fill() throws Exception {
    node.fill("books", 5);
    node.fill("others", 5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          /books/_update_by_query?slices=0             | {}                             | [slices] must be a positive integer or the string "auto", but was [0]
          /books/_update_by_query?slices=x             | {}                             | [slices] must be a positive integer or the string "auto", but was [x]
          /books/_update_by_query?slices=5000          | {}                             | The number of slices [5000] is too large
          /books/_update_by_query?slices=3&max_docs=2  | {}                             | [max_docs] should be >= [slices]
          /books/_update_by_query?max_docs=0           | {}                             | [max_docs] should be >= [slices]
          /books/_update_by_query?max_docs=-1          | {}                             | [max_docs] parameter cannot be negative, found [-1]
          /books/_update_by_query?max_docs=1           | {"max_docs":2}                 | [max_docs] set to two different values [2] and [1]
          /books/_update_by_query?requests_per_second= | {}                             | [requests_per_second] must be a float greater than 0
          /books/_update_by_query?requests_per_second=x | {}                            | [requests_per_second] must be a float greater than 0
          /books/_update_by_query?requests_per_second=0 | {}                            | [requests_per_second] must be a float greater than 0
          /books/_update_by_query?scroll_size=0        | {}                             | [size] cannot be [0] in a scroll context
          /books/_update_by_query?scroll_size=-1       | {}                             | [size] parameter cannot be negative, found [-1]
          /books/_update_by_query?scroll_size=10001    | {}                             | Batch size is too large
          /books/_update_by_query?scroll=30d           | {}                             | is too large
          /books/_update_by_query?from=1               | {}                             | 1: using [from] is not allowed in a scroll context;2: from is not supported in this context;
          /books/_update_by_query?conflicts=x          | {}                             | conflicts may only be "proceed" or "abort" but was [x]
          /books/_update_by_query                      | {"conflicts":1}                | [conflicts] must be a text but was [1]
          /books/_update_by_query                      | {"max_docs":"1"}               | [max_docs] must be a whole number
          /books/_update_by_query                      | {"max_docs":[1]}               | [max_docs] must be a whole number
          /books/_update_by_query                      | {"script":1}                   | Script value should be a String or a Map
          /books/_update_by_query                      | {"size":"x"}                   | size
          /books/_update_by_query                      | {"size":null}                  | Unknown key for a VALUE_NULL in [size]
          /books/_update_by_query                      | {"from":0}                     | 1: from is not supported in this context;
          /books/_update_by_query                      | {"collapse":{"field":"n"}}     | in a scroll context
          /books/_update_by_query                      | {"track_total_hits":5}         | disabling [track_total_hits] is not allowed in a scroll context
          /books/_update_by_query                      | {"stored_fields":["n"]}        | stored_fields is not supported in this context
          /books/_update_by_query                      | {"_source":5}                  | but found [VALUE_NUMBER]
          /books/_update_by_query?slices=2             | {"slice":{"id":0,"max":2}}     | can't specify both manual and automatic slicing at the same time
          /books/_update_by_query                      | {"slice":{"id":2,"max":2}}     | failed to parse field [max]
          /books/_update_by_query                      | {"slice":{"id":0,"max":2000}}  | The number of slices [2000] is too large
          /books/_delete_by_query                      | {}                             | 1: query is missing;
          /books/_delete_by_query                      | {"from":0}                     | 2: query is missing;
          /books/_delete_by_query                      | {"script":"x","query":{"match_all":{}}} | Unknown key for a VALUE_STRING in [script]
          """)
  void isRefused(String target, String body, String why) throws Exception {
    JsonNode refused = node.refused(400, "POST", target, body);

    assertThat(refused.path("error").toString().replace("\\\"", "\"")).contains(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                                                   | 1: use _all if you really want to copy from all existing indexes;2: index must be specified;
          {"source":{"index":"books"}}                                         | 1: index must be specified;
          {"dest":{"index":"copy"}}                                            | 1: use _all if you really want
          {"source":"books","dest":{"index":"copy"}}                           | [reindex] source doesn't support values of type: VALUE_STRING
          {"source":{"index":"books"},"dest":["copy"]}                         | [reindex] dest doesn't support values of type: START_ARRAY
          {"source":{"index":1},"dest":{"index":"copy"}}                       | Expected [index] to be a list or a string but was [1]
          {"source":{"index":["books",1]},"dest":{"index":"copy"}}             | Expected [index] to be a list or a string
          {"source":{"index":"books"},"dest":{"index":1}}                      | [dest] index doesn't support values of type: VALUE_NUMBER
          {"source":{"index":"books"},"dest":{"index":"copy","routing":1}}     | [dest] routing doesn't support values of type: VALUE_NUMBER
          {"source":{"index":"books"},"dest":{"index":"copy","routing":"x"}}   | routing must be unset, [keep], [discard]
          {"source":{"index":"books"},"dest":{"index":"copy","op_type":null}}  | [dest] op_type doesn't support values of type: VALUE_NULL
          {"source":{"index":"books"},"dest":{"index":"copy","op_type":"update"}} | opType must be 'create' or 'index', found: [update]
          {"source":{"index":"books"},"dest":{"index":"copy","version_type":"x"}} | No version type match [x]
          {"source":{"index":"books"},"dest":{"index":"copy","version_type":1}} | [dest] version_type doesn't support values of type: VALUE_NUMBER
          {"source":{"index":"books"},"dest":{"index":"copy","x":1}}           | [dest] unknown field [x]
          {"source":{"index":"books"},"dest":{"index":"copy"},"x":1}           | [reindex] unknown field [x]
          {"source":{"index":"books"},"dest":{"index":"copy"},"conflicts":1}   | [reindex] conflicts doesn't support values of type: VALUE_NUMBER
          {"source":{"index":"books"},"dest":{"index":"copy"},"max_docs":null} | [reindex] max_docs doesn't support values of type: VALUE_NULL
          {"source":{"index":"books"},"dest":{"index":"copy"},"max_docs":-4}   | [max_docs] parameter cannot be negative, found [-4]
          {"source":{"index":"books"},"dest":{"index":"copy"},"script":"x"}    | [reindex] script doesn't support values of type: VALUE_STRING
          {"source":{"index":"books","size":null},"dest":{"index":"copy"}}     | Unknown key for a VALUE_NULL in [size]
          {"source":{"index":"books","size":"x"},"dest":{"index":"copy"}}      | size
          {"source":{"index":"books","size":0},"dest":{"index":"copy"}}        | [size] cannot be [0] in a scroll context
          {"source":{"index":"books","size":-1},"dest":{"index":"copy"}}       | [size] parameter cannot be negative, found [-1]
          {"source":{"index":"books","sort":null},"dest":{"index":"copy"}}     | Unknown key for a VALUE_NULL in [sort]
          {"source":{"index":"books","_source":false},"dest":{"index":"copy"}} | _source:false is not supported in this context
          {"source":{"index":"books","remote":1},"dest":{"index":"copy"}}      | Expected [remote] to be an object
          {"source":{"index":"books","remote":{}},"dest":{"index":"copy"}}     | [host] must be specified to reindex from a remote cluster
          {"source":{"index":"books","remote":{"host":"h"}},"dest":{"index":"copy"}} | [host] must be of the form [scheme]://[host]:[port](/[pathPrefix])? but was [h]
          {"source":{"index":"books","remote":{"host":"http://h:9200","x":1}},"dest":{"index":"copy"}} | Unsupported fields in [remote]: [x]
          {"source":{"index":"books","remote":{"host":"http://h:9200","username":"u"}},"dest":{"index":"copy"}} | included username but not password
          {"source":{"index":"books","remote":{"host":"http://h:9200"}},"dest":{"index":"copy"}} | [h:9200] not allowlisted in reindex.remote.whitelist
          """)
  void isNoReindex(String body, String why) throws Exception {
    JsonNode refused = node.refused(400, "POST", "/_reindex", body);

    assertThat(refused.path("error").toString()).contains(why);
    assertThat(node.get("/copy").statusCode()).isEqualTo(404);
  }

  @Test
  void theSizeOfTheBodyIsThatOfAPage() throws Exception {
    JsonNode done = node.ok("POST", "/books/_update_by_query", "{\"size\":2,\"script\":null}");

    assertThat(done.path("updated").asInt()).isEqualTo(5);
    assertThat(done.path("batches").asInt()).isEqualTo(3);
  }

  @Test
  void theUrlSaysWhatAConflictIs() throws Exception {
    String target = "/books/_update_by_query?conflicts=x";

    JsonNode refused = node.refused(400, "POST", target, "{\"conflicts\":\"abort\"}");

    assertThat(refused.at("/error/reason").asText()).endsWith("but was [x]");
  }

  @Test
  void aRequestMayBeForOneSlice() throws Exception {
    int copied = 0;
    for (int i = 0; i < 3; i++) {
      String body =
          """
          {"source":{"index":"others","slice":{"id":%d,"max":3}},
           "dest":{"index":"sliced","op_type":"CREATE"}}
          """
              .formatted(i);
      JsonNode done = node.ok("POST", "/_reindex?refresh=true", body);
      assertThat(done.path("slice_id").asInt(-1)).isEqualTo(i);
      copied += done.path("created").asInt();
    }

    assertThat(copied).isEqualTo(5);
    assertThat(node.json("/sliced/_count").path("count").asInt()).isEqualTo(5);
  }
}

package dev.holdfast.document.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.document.ingest.processor.Processors;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.real.RealWorld;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Steps that meet what nobody thought of: a failure is of their document, and handlers hear of it.
final class OddStepsTest {
  private final PipelineParser parser =
      new PipelineParser(Processors.all(), id -> null, RealWorld.create().clock());

  private static String json(String text) {
    return text.replace('\'', '"');
  }

  private IngestPipeline pipeline(String steps) {
    return parser.pipeline("p", Json.parseObject(json("{'processors':[" + steps + "]}")));
  }

  private static IngestDocument document(String source) {
    ObjectNode metadata = Json.object().put("_index", "i").put("_id", "1").put("_version", -3);
    return new IngestDocument(Json.parseObject(json(source)), metadata, "2026-01-01T00:00:00Z");
  }

  @Test
  void aLoopGoesOverTheListThatItBeganWith() {
    IngestDocument document = document("{'a':[1,2]}");

    pipeline("{'foreach':{'field':'a','processor':{'append':{'field':'a','value':3}}}}")
        .run(document);

    assertThat(document.source()).hasToString(json("{'a':[1,2]}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "{'date':{'field':'a','formats':['TAI64N']}} | {'a':'@4fffffffffffffff00000000'}",
        "{'date':{'field':'a','formats':['TAI64N'],'output_format':'epoch_millis'}} |"
            + " {'a':'@406fffffffffffff00000000'}",
        "{'remove':{'field':'_index'}} | {}",
        "{'rename':{'field':'_version','target_field':'a'}} | {}",
        "{'set':{'field':'_index','value':['x']}} | {}",
        "{'set':{'field':'_id','value':{'x':1}}} | {}",
        "{'set':{'field':'_version','value':'x'}} | {}",
        "{'append':{'field':'_index','value':'x'}} | {}",
      })
  void whatCannotBeIsAFailureThatHandlersHearOf(String step, String source) {
    IngestDocument document = document(source);
    String handled = step.substring(0, step.length() - 2) + ",'on_failure':[{'set':";

    pipeline(handled + "{'field':'why','value':'{{_ingest.on_failure_message}}'}}]}}")
        .run(document);

    assertThat(document.source().path("why").asText()).isNotEmpty();
    assertThat(document.metadata()).hasToString(json("{'_index':'i','_id':'1','_version':-3}"));
    assertThatThrownBy(() -> pipeline(step).run(document(source))).isInstanceOf(Refusal.class);
  }

  @Test
  void aCallWhoseConditionDoesNotHoldIsSkippedWhateverItCalls() {
    IngestDocument document = document("{'a':1}");
    List<Trace.Outcome> outcomes = new ArrayList<>();
    document.traceTo((step, now, outcome, error) -> outcomes.add(outcome));

    pipeline("{'pipeline':{'name':'none','if':'ctx.a == 2'}}").run(document);

    assertThat(outcomes).containsExactly(Trace.Outcome.SKIPPED);
  }

  @Test
  void aDocumentOfAFailureStoreIsWhatItWas() {
    IngestDocument document =
        document(
            "{'@timestamp':'now','error':{'type':'x'},'document':{'index':'logs','routing':'r',"
                + "'source':{'a':[1]}}}");

    pipeline("{'recover_failure_document':{}}").run(document);

    assertThat(document.source()).hasToString(json("{'a':[1]}"));
    assertThat(document.metadata())
        .hasToString(json("{'_index':'logs','_id':'1','_version':-3,'_routing':'r'}"));
    assertThat(document.ingest().path("pre_recovery"))
        .hasToString(
            json(
                "{'@timestamp':'now','error':{'type':'x'},'document':{'index':'logs',"
                    + "'routing':'r'},'_index':'i','_id':'1','_version':-3}"));
    assertThatThrownBy(() -> pipeline("{'recover_failure_document':{}}").run(document))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("none of a failure store");
  }
}

package dev.holdfast.api.ilm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LifecyclePolicyTest {
  private static LifecyclePolicy read(String phases) {
    return LifecyclePolicy.read(
        Json.parseObject("{\"policy\":{\"phases\":" + phases.replace('\'', '"') + "}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'lukewarm':{}} | does not support phase [lukewarm]",
        "{'warm':{'actions':{'rollover':{'max_docs':1}}}} | invalid action [rollover] defined in"
            + " phase [warm]",
        "{'hot':{'actions':{'delete':{}}}} | invalid action [delete] defined in phase [hot]",
        "{'delete':{'actions':{'readonly':{}}}} | invalid action [readonly] defined in phase"
            + " [delete]",
        "{'hot':{'actions':{'rollover':{}}}} | At least one max_* rollover condition must be set",
        "{'hot':{'actions':{'rollover':{'min_docs':1}}}} | At least one max_* rollover condition"
            + " must be set",
        "{'hot':{'actions':{'rollover':{'max_age':'7'}}}} | unit is missing",
        "{'hot':{'actions':{'forcemerge':{'max_num_segments':1}}}} | without an accompanying"
            + " [rollover] action",
        "{'warm':{'actions':{'forcemerge':{'max_num_segments':0}}}} | [max_num_segments] must be a"
            + " positive integer",
        "{'warm':{'actions':{'forcemerge':{}}}} | Required [max_num_segments]",
        "{'warm':{'actions':{'shrink':{}}}} | Either [number_of_shards] or [max_primary_shard_size]"
            + " must be set",
        "{'warm':{'actions':{'shrink':{'number_of_shards':1,'max_primary_shard_size':'1gb'}}}} |"
            + " Cannot set both",
        "{'warm':{'actions':{'set_priority':{'priority':-1}}}} | [priority] must be 0 or greater",
        "{'warm':{'actions':{'allocate':{}}}} | must contain attributes for action [allocate]",
        "{'cold':{'actions':{'downsample':{}}}} | Required [fixed_interval]",
        "{'cold':{'actions':{'downsample':{'fixed_interval':'1M'}}}} | as a time value: unit is"
            + " missing or unrecognized",
        "{'cold':{'actions':{'downsample':{'fixed_interval':'1h','force_merge_index':false}}}} |"
            + " [force_merge_index] is always true",
        "{'frozen':{}} | a searchable snapshot action is required in the frozen phase",
        "{'cold':{'actions':{'searchable_snapshot':{}}}} | the snapshot repository must be"
            + " specified",
        "{'delete':{'actions':{'wait_for_snapshot':{}}}} | policy name must be specified",
        "{'warm':{'min_age':'-5s'}} | negative durations are not supported",
        "{'hot':{'actions':{'rollover':{'max_age':'-5d'}}}} | negative durations are not supported",
      })
  void whatDoesNotGoTogetherIsRefused(String phases, String reason) {
    assertThatThrownBy(() -> read(phases))
        .isInstanceOfSatisfying(
            Refusal.class, e -> assertThat(e.type()).isEqualTo(ErrorType.ILLEGAL_ARGUMENT))
        .hasMessageContaining(reason);
  }

  /// A null that counted as nothing would delete at once, or roll over with each document.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'delete':{'min_age':null,'actions':{'delete':{}}}}",
        "{'hot':{'actions':{'rollover':{'max_docs':null}}}}",
        "{'hot':{'actions':{'rollover':{'max_docs':5,'max_age':null}}}}",
        "{'warm':{'actions':{'allocate':{'number_of_replicas':null}}}}",
        "{'hot':{'actions':null}}",
      })
  void nullIsNoValue(String phases) {
    assertThatThrownBy(() -> read(phases))
        .isInstanceOfSatisfying(Refusal.class, e -> assertThat(e.type().status()).isEqualTo(400))
        .hasMessageContaining("unknown token [VALUE_NULL]");
  }

  @Test
  void aPriorityMayBeTakenAway() {
    LifecyclePolicy policy = read("{'hot':{'actions':{'set_priority':{'priority':null}}}}");

    assertThat(policy.json().toString()).contains("{\"priority\":null}");
  }

  @Test
  void whatIsUnknownIsRefused() {
    assertThatThrownBy(() -> read("{'hot':{'actions':{'fly':{}}}}"))
        .isInstanceOf(Refusal.class)
        .hasRootCauseMessage("unable to parse LifecycleAction with name [fly]: parser not found");
    assertThatThrownBy(() -> read("{'hot':{'min_old':'1d'}}"))
        .hasMessageContaining("unknown field [min_old]");
    assertThatThrownBy(() -> read("{'warm':{'actions':{'readonly':{'x':1}}}}"))
        .hasMessageContaining("unknown field [x]");
    assertThatThrownBy(() -> LifecyclePolicy.read(Json.parseObject("{}")))
        .hasMessageContaining("requires [policy]");
    for (String name : new String[] {"a,b", "a b", "_a", "x".repeat(256)}) {
      assertThatThrownBy(() -> LifecyclePolicy.requireName(name))
          .hasMessageContaining("invalid policy name");
    }
  }

  @Test
  void aLaterPhaseBeginsNoEarlier() {
    assertThatThrownBy(() -> read("{'warm':{'min_age':'7d'},'cold':{'min_age':'1d'}}"))
        .isInstanceOfSatisfying(
            Refusal.class, e -> assertThat(e.type()).isEqualTo(ErrorType.ACTION_REQUEST_VALIDATION))
        .hasMessageContaining("phases [cold] configure a [min_age] value less than");
    assertThat(read("{'warm':{'min_age':'7d'},'cold':{}}").next("warm")).isEqualTo("cold");
  }

  @Test
  void phasesAndActionsHaveTheirOrder() {
    LifecyclePolicy policy =
        read(
            "{'delete':{'actions':{'delete':{}}},'hot':{'actions':{'shrink':{'number_of_shards':1},"
                + "'rollover':{'max_age':'1d'},'set_priority':{'priority':null}}}}");

    assertThat(policy.phases()).containsExactly("hot", "delete");
    assertThat(policy.actions("hot")).containsExactly("set_priority", "rollover", "shrink");
    assertThat(policy.next("new")).isEqualTo("hot");
    assertThat(policy.next("hot")).isEqualTo("delete");
    assertThat(policy.next("delete")).isNull();
    assertThat(policy.json().at("/phases/delete").toString())
        .isEqualTo(
            "{\"min_age\":\"0ms\",\"actions\":{\"delete\":{\"delete_searchable_snapshot\":true}}}");
  }
}

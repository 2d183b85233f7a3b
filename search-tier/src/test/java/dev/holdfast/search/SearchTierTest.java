package dev.holdfast.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.compoundcommit.notice.CommitNotice;
import dev.holdfast.compoundcommit.notice.InUse;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.query.parse.SearchParser;
import dev.holdfast.query.request.SearchSource;
import dev.holdfast.search.node.QueryAnswer;
import dev.holdfast.search.node.QueryRequest;
import dev.holdfast.search.node.SearchConfig;
import dev.holdfast.search.node.ShardTarget;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class SearchTierTest extends SearchTierFixture {
  @Test
  void searchesBothShardsUploadedOrNot() throws Exception {
    // given
    zero.add("1", "{\"n\":1,\"k\":\"a\",\"t\":\"red fox\"}", "2", "{\"n\":4,\"k\":\"b\"}");
    one.add("3", "{\"n\":3,\"k\":\"a\",\"t\":\"red dog\"}", "4", "{ \"n\" : 2 }");
    tier.commit(zero.upload());
    tier.commit(one.refresh());
    // when
    JsonNode answer =
        search(
            """
            {"sort":[{"n":"desc"}],"size":3,
             "aggs":{"keys":{"terms":{"field":"k"},"aggs":{"total":{"sum":{"field":"n"}}}}}}\
            """);
    // then
    assertThat(answer.path("hits").path("hits").findValuesAsText("_id"))
        .containsExactly("2", "3", "4");
    assertThat(answer.at("/hits/total/value").asInt()).isEqualTo(4);
    assertThat(answer.at("/hits/total/relation").asText()).isEqualTo("eq");
    assertThat(answer.at("/hits/max_score").isNull()).isTrue();
    assertThat(answer.at("/hits/hits/2/_source").toString()).isEqualTo("{\"n\":2}");
    assertThat(answer.at("/hits/hits/0/sort/0").asInt()).isEqualTo(4);
    assertThat(answer.at("/_shards").toString())
        .isEqualTo("{\"total\":2,\"successful\":2,\"skipped\":0,\"failed\":0}");
    assertThat(answer.at("/aggregations/keys/buckets/0/key").asText()).isEqualTo("a");
    assertThat(answer.at("/aggregations/keys/buckets/0/doc_count").asInt()).isEqualTo(2);
    assertThat(answer.at("/aggregations/keys/buckets/0/total/value").asDouble()).isEqualTo(4);
    assertThat(search("{\"query\":{\"match\":{\"t\":\"fox\"}}}").at("/hits/hits/0/_id").asText())
        .isEqualTo("1");
  }

  @Test
  void whatAnEarlierOwnerSaysLateIsNotOpened() throws Exception {
    // given
    zero.add("1", "{\"n\":1}");
    CommitNotice late = zero.upload();
    metadata.update(
        "another owner",
        state -> state.withIndex(state.indices().get("books").withPrimaryTerms(List.of(2L, 1L))));
    assertThat(tier.inUse(zero.id, metadata.current().version()).blobs()).isEmpty();
    // when
    assertThatThrownBy(() -> tier.commit(late)).hasMessageContaining("earlier owner");
    // then
    assertThat(tier.inUse(zero.id, metadata.current().version()).blobs()).isEmpty();
  }

  @Test
  void laterSearchesSeeTheCommitAndOlderReadersAreReleased() throws Exception {
    // given
    zero.add("1", "{\"n\":1}");
    one.add("3", "{\"n\":3}");
    CommitNotice first = zero.refresh();
    tier.commit(first);
    tier.commit(one.upload());
    assertThat(total()).isEqualTo(2);
    // when
    zero.add("2", "{\"n\":2}");
    zero.delete("1");
    CommitNotice second = zero.upload();
    InUse inUse = tier.commit(second);
    // then
    assertThat(total()).isEqualTo(2);
    assertThat(tier.documents(zero.id)).isEqualTo(1);
    assertThat(inUse.generations()).containsExactly(second.commit().generation());
    assertThat(searches.get(zero.id, "2", false).exists()).isTrue();
    assertThat(searches.get(zero.id, "2", false).source()).asString().isEqualTo("{\"n\":2}");
    assertThat(searches.get(zero.id, "1", false).exists()).isFalse();
    // an older notice changes nothing
    assertThat(tier.commit(first).generations()).containsExactly(second.commit().generation());
    assertThat(tier.documents(zero.id)).isEqualTo(1);
  }

  @Test
  void aNewOwnerReplacesCommitsThatWereNeverUploaded() throws Exception {
    // given
    zero.add("1", "{\"n\":1}");
    tier.commit(zero.upload());
    zero.add("lost", "{\"n\":9}");
    tier.commit(zero.refresh());
    one.add("3", "{\"n\":3}");
    tier.commit(one.upload());
    // when
    try (WrittenShard owner = written(0, 2, "owner")) {
      owner.add("2", "{\"n\":2}", "5", "{\"n\":5}");
      tier.commit(owner.upload());
      // then
      assertThat(search("{\"sort\":[\"n\"]}").path("hits").path("hits").findValuesAsText("_id"))
          .containsExactly("1", "2", "3", "5");
    }
  }

  @Test
  void aShardWithoutCommitFailsAloneAndAllShardsFailTogether() throws Exception {
    zero.add("1", "{\"n\":1}");
    tier.commit(zero.upload());

    JsonNode partial = search("{}");

    assertThat(partial.at("/hits/total/value").asInt()).isEqualTo(1);
    assertThat(partial.at("/_shards/failed").asInt()).isEqualTo(1);
    assertThat(partial.at("/_shards/failures/0/reason/type").asText())
        .isEqualTo("no_shard_available_action_exception");
    tier.commit(one.upload());
    assertThatThrownBy(() -> search("{\"sort\":[\"zz\"]}"))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.reason()).isEqualTo("all shards failed");
              assertThat(refusal.status()).isEqualTo(400);
              assertThat(refusal.getCause())
                  .hasMessage("No mapping found for [zz] in order to sort on");
            });
  }

  @Test
  void searchesOfCopiesThatSleepEndAlthoughTheOwnerIsSilentAndAskItOnce() throws Exception {
    answers = new CountDownLatch(1); // its store does not answer

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> tier.documents(zero.id))
          .isInstanceOfSatisfying(
              Refusal.class,
              refusal -> assertThat(refusal.type()).isEqualTo(ErrorType.NO_SHARD_AVAILABLE));
    }
    assertThat(asked.get()).isEqualTo(1);

    answers.countDown();
    zero.add("1", "{\"n\":1}");
    tier.commit(zero.upload());
    assertThat(tier.documents(zero.id)).isEqualTo(1);
  }

  @Test
  void aCopyThatCannotBeOpenedSaysWhatItsOwnerSaid() {
    assertThatThrownBy(() -> tier.documents(zero.id))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal ->
                assertThat(refusal.reason())
                    .isEqualTo(
                        "No shard available for "
                            + zero.id
                            + ": its newest commit was not opened within 300ms: nothing was"
                            + " committed"));
  }

  /// One that waits a minute for shards, but not for those whose client left.
  @Test
  @Timeout(30)
  void aSearchThatIsCancelledWaitsForNoCopy() throws Exception {
    answers = new CountDownLatch(1);
    QueryRequest request =
        new QueryRequest(
            "",
            List.of(new QueryRequest.OfShard(ShardTarget.of(zero.id), 0, List.of())),
            1,
            SearchParser.parse(Json.object()),
            0,
            0,
            null,
            true);
    try (SearchTier patient =
        new SearchTier(
            world,
            store,
            metadata,
            new Self(),
            cache,
            new StandardMappings(),
            new Reads(),
            SearchConfig.of(2, 8 << 20),
            folder.resolve("scratch-patient"),
            null)) {
      QueryAnswer answer = patient.query(request, () -> asked.get() > 0);
      assertThat(answer.shards().getFirst().failure())
          .matches(why -> why.type() == ErrorType.TASK_CANCELLED);
    }
    answers.countDown();
  }

  @Test
  void copiesCloseWithTheirIndex() throws Exception {
    zero.add("1", "{\"n\":1}");
    tier.commit(zero.upload());

    metadata.update("delete", state -> state.withoutIndex("books"));

    assertThatThrownBy(() -> tier.documents(zero.id)).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> search("{}")).hasMessage("no such index [books]");
  }

  @Test
  void cancelledSearchesEnd() throws Exception {
    zero.add("1", "{\"n\":1}");
    tier.commit(zero.upload());
    one.add("2", "{\"n\":1}");
    tier.commit(one.upload());
    SearchSource source = SearchParser.parse(Json.parseObject("{\"query\":{\"match_all\":{}}}"));

    assertThatThrownBy(() -> searches.search(List.of(BOOKS), source, () -> true))
        .hasMessage("task cancelled");
  }
}

package dev.holdfast.indexing.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.clusterstate.ShardId;
import dev.holdfast.document.mapping.StandardMappings;
import dev.holdfast.indexing.IndexingTierFixture;
import dev.holdfast.world.Refusal;
import org.junit.jupiter.api.Test;

final class MappedFormatsTest extends IndexingTierFixture {
  /// Else its merges and commits fail, and say so to clients and operators, until it is closed.
  @Test
  void anIndexThatIsDeletedIsWrittenToTheEnd() throws Exception {
    ShardId shard = node.create("books");
    WriteMapping mapping = new WriteMapping(node.changes, new StandardMappings(), shard.index(), 1);
    MappedFormats formats = MappedFormats.of(mapping);
    assertThat(formats.postings("title")).isNull();

    node.changes.seenAs(state -> state.withoutIndex("books"));

    assertThat(formats.postings("title")).isNull();
    assertThat(formats.vectors("title")).isNull();
    assertThatThrownBy(mapping::newest).isInstanceOf(Refusal.class);
    node.changes.seenAs(state -> state);
  }
}

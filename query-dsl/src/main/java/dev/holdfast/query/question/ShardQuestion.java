package dev.holdfast.query.question;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.query.QueryContext;
import dev.holdfast.world.Registry;
import java.io.IOException;

/// A question about one shard. One file a kind, one line here.
@FunctionalInterface
public interface ShardQuestion {
  /// Questions by name.
  Registry<ShardQuestion> ALL =
      Registry.<ShardQuestion>of("question")
          .with(Explaining.NAME, Explaining::answer)
          .with(Validating.NAME, Validating::answer)
          .with(Matching.NAME, Matching::answer)
          .with(Present.NAME, Present::answer)
          .with(TermListing.NAME, TermListing::answer)
          .with(FieldBytes.NAME, FieldBytes::answer)
          .with(TermVectors.NAME, TermVectors::answer);

  ObjectNode answer(QueryContext context, ObjectNode body) throws IOException;
}

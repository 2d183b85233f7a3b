package dev.holdfast.query.clause.vector;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.JsonObject;
import dev.holdfast.world.Refusal;
import java.util.Set;

/// `query_vector_builder`: what makes the vector of a `knn`. That of a document, `lookup`, is in
/// its place before a query is read; what is left is refused.
final class VectorBuilder {
  static final String NAME = "query_vector_builder";

  private static final Set<String> OF_MODELS = Set.of("text_embedding", "embedding");

  private VectorBuilder() {}

  static Refusal refused(JsonNode builder, boolean hasVector) {
    if (hasVector) {
      return Refusal.badArgument("cannot provide both [query_vector_builder] and [query_vector]");
    }
    if (!builder.isObject()) {
      return new Refusal(
          ErrorType.X_CONTENT_PARSE,
          "[knn] query_vector_builder doesn't support values of type: "
              + JsonObject.token(builder));
    }
    if (builder.size() != 1) {
      return refused("it has to say one way to make a vector, but says " + builder.size());
    }
    String kind = builder.fieldNames().next();
    if (kind.equals("lookup")) {
      return refused(
          builder.path(kind).isObject()
              ? "[lookup] can be used where a search is asked for, not in stored queries"
              : "[lookup] Expected START_OBJECT but was: " + JsonObject.token(builder.path(kind)));
    }
    return refused(
        OF_MODELS.contains(kind)
            ? "[" + kind + "] needs a model, which is not supported"
            : "unknown field [" + kind + "]");
  }

  private static Refusal refused(String why) {
    return new Refusal(
        ErrorType.X_CONTENT_PARSE,
        "[knn] failed to parse field [query_vector_builder]",
        Refusal.badArgument(why));
  }
}

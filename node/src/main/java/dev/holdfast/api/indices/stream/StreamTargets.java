package dev.holdfast.api.indices.stream;

import dev.holdfast.api.indices.lifecycle.Retention;
import dev.holdfast.api.indices.lifecycle.StreamLifecycles;
import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.indices.resolve.StreamExpression;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStream.Component;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/// Which data streams a request of `/_data_stream/{name}` means.
final class StreamTargets {
  /// Patterns that match nothing are no error, names that no stream has are.
  private static final IndexExpression.Options OPTIONS =
      new IndexExpression.Options(false, true, true, true, false, true);

  private StreamTargets() {}

  /// @throws dev.holdfast.world.Refusal `index_not_found_exception`
  static List<DataStream> of(ClusterState state, ApiRequest request) {
    return StreamExpression.streams(state, request.text("name", "*"), OPTIONS.of(request));
  }

  /// An answer that says where the cluster's retention stands before that of a stream.
  static Answer warned(Answer answer, ClusterState state, ApiRequest request, Component component) {
    Retention retention = Retention.of(state);
    return of(state, request).stream()
        .map(stream ->
            retention.warning(stream.name(), component, StreamLifecycles.of(stream, component)))
        .filter(Objects::nonNull)
        .distinct()
        .reduce(answer, Answer::warn, (a, b) -> b);
  }

  /// Changes each of the streams that are meant, in one step.
  static void change(
      Metadata metadata, ApiRequest request, String what, UnaryOperator<DataStream> change)
      throws InterruptedException {
    change(metadata, request, what, change, (state, stream) -> state);
  }

  /// The same, and what else changes with each of them.
  static void change(
      Metadata metadata,
      ApiRequest request,
      String what,
      UnaryOperator<DataStream> change,
      BiFunction<ClusterState, DataStream, ClusterState> also)
      throws InterruptedException {
    metadata.update(
        what + " [" + request.text("name", "*") + "]",
        state -> {
          ClusterState changed = state;
          for (DataStream stream : of(state, request)) {
            DataStream after = change.apply(stream);
            changed = after.equals(stream) ? changed : DataStreams.with(changed, after);
            changed = also.apply(changed, after);
          }
          return changed;
        });
  }
}

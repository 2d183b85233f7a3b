package dev.holdfast.api.indices.stream;

import dev.holdfast.api.indices.resolve.IndexExpression;
import dev.holdfast.api.indices.resolve.StreamExpression;
import dev.holdfast.clusterstate.ClusterState;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.clusterstate.stream.DataStream;
import dev.holdfast.clusterstate.stream.DataStreams;
import dev.holdfast.http.ApiRequest;
import java.util.List;
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

  /// Changes each of the streams that are meant, in one step.
  static void change(
      Metadata metadata, ApiRequest request, String what, UnaryOperator<DataStream> change)
      throws InterruptedException {
    metadata.update(
        what + " [" + request.text("name", "*") + "]",
        state -> {
          ClusterState changed = state;
          for (DataStream stream : of(state, request)) {
            DataStream after = change.apply(stream);
            changed = after.equals(stream) ? changed : DataStreams.with(changed, after);
          }
          return changed;
        });
  }
}

package dev.holdfast.http;

/// One REST API: reads the request, calls a room, renders the answer. Runs on a virtual thread and
/// may block.
public interface Api {
  /// @throws dev.holdfast.world.Refusal for the client, rendered in Elasticsearch's shape; any
  ///   other throwable is a 500
  Answer handle(ApiRequest request) throws Exception;
}

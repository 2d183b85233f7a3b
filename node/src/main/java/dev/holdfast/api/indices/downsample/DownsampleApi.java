package dev.holdfast.api.indices.downsample;

import dev.holdfast.api.indices.resolve.SingleIndex;
import dev.holdfast.api.tasks.BackgroundTasks;
import dev.holdfast.clusterstate.IndexMetadata;
import dev.holdfast.clusterstate.Metadata;
import dev.holdfast.http.Answer;
import dev.holdfast.http.Api;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.Json;
import dev.holdfast.world.JsonObject;
import java.util.List;

/// `POST /{index}/_downsample/{target_index}`.
public final class DownsampleApi implements Api {
  public static final List<String> PARAMETERS = List.of("master_timeout", "timeout");

  private final Metadata metadata;
  private final Downsampling downsampling;
  private final BackgroundTasks tasks;

  public DownsampleApi(Metadata metadata, Downsampling downsampling, BackgroundTasks tasks) {
    this.metadata = metadata;
    this.downsampling = downsampling;
    this.tasks = tasks;
  }

  @Override
  public Answer handle(ApiRequest request) throws Exception {
    IndexMetadata source = SingleIndex.of(metadata.current(), request.required("index"), false);
    String target = request.required("target_index");
    JsonObject body = JsonObject.of("downsample", request.body().object());
    DownsampleConfig config = DownsampleConfig.read(body);
    body.done();
    return tasks.run(
        request,
        "indices:admin/xpack/downsample",
        "downsample [" + source.id().name() + "] to [" + target + "]",
        task -> {
          var _ = downsampling.run(source, target, config, task::isCancelled);
          return new BackgroundTasks.Outcome(200, Json.object().put("acknowledged", true));
        });
  }
}

package dev.holdfast.script.context;

import dev.holdfast.script.runtime.Script;
import dev.holdfast.script.type.Shape;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A value made of the metrics of a bucket, which are its `params`.
public abstract class BucketScript extends Script {
  public static final Shape SHAPE =
      Shape.of("bucket_aggregation", BucketScript.class, List.of(), List.of("params"), List.of());

  protected BucketScript(Map<String, Object> params) {
    super(params);
  }

  public abstract @Nullable Number execute();
}

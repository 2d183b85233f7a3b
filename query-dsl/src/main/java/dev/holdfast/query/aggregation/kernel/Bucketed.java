package dev.holdfast.query.aggregation.kernel;

import java.util.List;

/// A partial result of many buckets, as pipelines see it.
public interface Bucketed {
  List<Bucket> buckets();

  /// What pipelines call a bucket: its key as text where the answer shows it so.
  String name(Bucket bucket);
}

package dev.holdfast.objectstore.count;

import dev.holdfast.objectstore.BucketPrefix;
import dev.holdfast.objectstore.RequestKind;

/// What a store charges for requests; bytes kept and bytes that leave the region are not counted.
///
/// @param dollarsPerThousandWrites for each put, list and copy
/// @param dollarsPerThousandReads for each get
/// @param dollarsPerThousandDeletes for each delete request
public record StorePrices(
    double dollarsPerThousandWrites,
    double dollarsPerThousandReads,
    double dollarsPerThousandDeletes) {
  /// A folder or memory.
  public static final StorePrices FREE = new StorePrices(0, 0, 0);

  /// S3 Standard, us-east-1.
  public static final StorePrices S3_STANDARD = new StorePrices(0.005, 0.0004, 0);

  /// Google Cloud Storage Standard, one region.
  public static final StorePrices GOOGLE_STANDARD = new StorePrices(0.005, 0.0004, 0);

  /// Azure Blob Storage, hot tier, locally redundant.
  public static final StorePrices AZURE_HOT = new StorePrices(0.0055, 0.00044, 0);

  /// The prices of the store that a URL names.
  public static StorePrices of(String url) {
    return switch (BucketPrefix.scheme(url)) {
      case "s3" -> S3_STANDARD;
      case "gs" -> GOOGLE_STANDARD;
      case "az" -> AZURE_HOT;
      default -> FREE;
    };
  }

  double dollars(RequestKind kind, long requests) {
    double thousand =
        switch (kind) {
          case PUT, LIST, COPY -> dollarsPerThousandWrites;
          case GET -> dollarsPerThousandReads;
          case DELETE -> dollarsPerThousandDeletes;
        };
    return thousand * requests / 1000;
  }
}

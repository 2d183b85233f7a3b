package dev.holdfast.objectstore.count;

import dev.holdfast.objectstore.BucketPrefix;
import dev.holdfast.objectstore.RequestKind;
import java.util.Map;

/// What a store charges; bytes that leave the region are not counted.
///
/// @param dollarsPerThousandWrites for each put, list and copy
/// @param dollarsPerThousandReads for each get
/// @param dollarsPerThousandDeletes for each delete request
/// @param dollarsPerGigabyteMonth for what is kept; a gigabyte is 10^9 bytes
public record StorePrices(
    double dollarsPerThousandWrites,
    double dollarsPerThousandReads,
    double dollarsPerThousandDeletes,
    double dollarsPerGigabyteMonth) {
  /// A folder or memory.
  public static final StorePrices FREE = new StorePrices(0, 0, 0, 0);

  /// S3 Standard, us-east-1.
  public static final StorePrices S3_STANDARD = new StorePrices(0.005, 0.0004, 0, 0.023);

  /// Google Cloud Storage Standard, one region.
  public static final StorePrices GOOGLE_STANDARD = new StorePrices(0.005, 0.0004, 0, 0.020);

  /// Azure Blob Storage, hot tier, locally redundant.
  public static final StorePrices AZURE_HOT = new StorePrices(0.0055, 0.00044, 0, 0.018);

  /// Settings that replace them begin so.
  public static final String FAMILY = "store.price.";

  public static final String WRITES = FAMILY + "writes";
  public static final String READS = FAMILY + "reads";
  public static final String DELETES = FAMILY + "deletes";
  public static final String KEPT = FAMILY + "kept";

  /// A month: a twelfth of a year.
  public static final double MONTH_SECONDS = 365.25 / 12 * 86_400;

  /// No price is higher.
  private static final double DOLLARS_MAX = 1e6;

  /// The prices of the store that a URL names.
  public static StorePrices of(String url) {
    return switch (BucketPrefix.scheme(url)) {
      case "s3" -> S3_STANDARD;
      case "gs" -> GOOGLE_STANDARD;
      case "az" -> AZURE_HOT;
      default -> FREE;
    };
  }

  /// The prices of the store that a URL names, where settings do not say otherwise.
  ///
  /// @param options with values that [#price] takes
  public static StorePrices of(String url, Map<String, String> options) {
    StorePrices list = of(url);
    return new StorePrices(
        set(options, WRITES, list.dollarsPerThousandWrites),
        set(options, READS, list.dollarsPerThousandReads),
        set(options, DELETES, list.dollarsPerThousandDeletes),
        set(options, KEPT, list.dollarsPerGigabyteMonth));
  }

  private static double set(Map<String, String> options, String name, double otherwise) {
    String given = options.get(name);
    return given == null ? otherwise : price(given);
  }

  /// A price as a person writes it.
  ///
  /// @throws IllegalArgumentException when it is none
  public static double price(String text) {
    if (!text.matches("[0-9]{1,7}(\\.[0-9]{1,12})?") || Double.parseDouble(text) > DOLLARS_MAX) {
      throw new IllegalArgumentException(
          "it is no number of dollars from 0 to a million, for example 0.005");
    }
    return Double.parseDouble(text);
  }

  /// Whether no request costs anything.
  public boolean isFree() {
    return dollarsPerThousandWrites + dollarsPerThousandReads + dollarsPerThousandDeletes == 0;
  }

  /// Of requests of one kind.
  public double dollars(RequestKind kind, long requests) {
    double thousand =
        switch (kind) {
          case PUT, LIST, COPY -> dollarsPerThousandWrites;
          case GET -> dollarsPerThousandReads;
          case DELETE -> dollarsPerThousandDeletes;
        };
    return thousand * requests / 1000;
  }

  /// Of keeping so much for a month.
  public double keptDollars(double bytes) {
    return dollarsPerGigabyteMonth * bytes * 1e-9;
  }
}

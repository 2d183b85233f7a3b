package dev.holdfast.objectstore.count;

import dev.holdfast.objectstore.BucketPrefix;
import dev.holdfast.objectstore.RequestKind;
import java.util.Map;

/// What a store charges; bytes that leave the region are not counted.
///
/// @param dollarsPerThousandWrites for each put, list and copy
/// @param dollarsPerThousandReads for each get
/// @param dollarsPerThousandDeletes for each delete request
/// @param dollarsPerThousandTransitions for each change of an object's storage class
/// @param dollarsPerGigabyteMonth for what is kept in the usual class; a gigabyte is 10^9 bytes
/// @param classes in which keeping costs less
public record StorePrices(
    double dollarsPerThousandWrites,
    double dollarsPerThousandReads,
    double dollarsPerThousandDeletes,
    double dollarsPerThousandTransitions,
    double dollarsPerGigabyteMonth,
    StorageClass.Known classes) {
  /// A folder or memory.
  public static final StorePrices FREE = new StorePrices(0, 0, 0, 0, 0, StorageClass.Known.NONE);

  /// S3 Standard, us-east-1.
  public static final StorePrices S3_STANDARD =
      new StorePrices(0.005, 0.0004, 0, 0.01, 0.023, StorageClass.Known.S3);

  /// Google Cloud Storage Standard, one region.
  public static final StorePrices GOOGLE_STANDARD =
      new StorePrices(0.005, 0.0004, 0, 0.01, 0.020, StorageClass.Known.GOOGLE);

  /// Azure Blob Storage, hot tier, locally redundant.
  public static final StorePrices AZURE_HOT =
      new StorePrices(0.0055, 0.00044, 0, 0.01, 0.018, StorageClass.Known.AZURE);

  /// Settings that replace them begin so.
  public static final String FAMILY = "store.price.";

  public static final String WRITES = FAMILY + "writes";
  public static final String READS = FAMILY + "reads";
  public static final String DELETES = FAMILY + "deletes";
  public static final String TRANSITIONS = FAMILY + "transitions";
  public static final String KEPT = FAMILY + "kept";

  /// A month: a twelfth of a year.
  public static final double MONTH_DAYS = 365.25 / 12;

  public static final double MONTH_SECONDS = MONTH_DAYS * 86_400;

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
        set(options, TRANSITIONS, list.dollarsPerThousandTransitions),
        set(options, KEPT, list.dollarsPerGigabyteMonth),
        list.classes);
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
          case TRANSITION -> dollarsPerThousandTransitions;
          case DELETE -> dollarsPerThousandDeletes;
        };
    return thousand * requests / 1000;
  }

  /// Of keeping so much for a month in the usual class.
  public double keptDollars(double bytes) {
    return dollarsPerGigabyteMonth * bytes * 1e-9;
  }

  /// The same in a class as it is listed; in one that is not known as in the usual one.
  public double keptDollars(String storageClass, double bytes) {
    return classes
        .find(storageClass)
        .map(cheaper -> cheaper.dollarsPerGigabyteMonth() * bytes * 1e-9)
        .orElseGet(() -> keptDollars(bytes));
  }

  /// What moving an object of the usual class saves, by all that is paid for it until it goes;
  /// below 0 when it costs more than it saves.
  ///
  /// @param months for which it is still kept
  /// @param bytesRead of it meanwhile
  public double saved(StorageClass target, long bytes, double months, double bytesRead) {
    double moved =
        dollars(RequestKind.TRANSITION, 1)
            + target.keptDollars(bytes, months)
            + target.readDollars(bytesRead);
    return keptDollars((double) bytes) * months - moved;
  }
}

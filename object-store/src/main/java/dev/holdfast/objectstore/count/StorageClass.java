package dev.holdfast.objectstore.count;

import java.util.List;
import java.util.Optional;

/// A provider's class of storage in which keeping costs less and reading more than in the usual
/// one, by its list prices; of those that answer a read at once. A day in it is paid for like any
/// other, but never less than [#daysMin] of them.
///
/// @param name as the provider writes it
/// @param dollarsPerGigabyteMonth for what is kept
/// @param dollarsPerGigabyteRead for what is read, beside the request
/// @param daysMin an object that goes earlier is paid for until then
/// @param bytesMin a smaller object is paid for as if it had so many
public record StorageClass(
    String name,
    double dollarsPerGigabyteMonth,
    double dollarsPerGigabyteRead,
    int daysMin,
    long bytesMin) {
  private static final long S3_BYTES_MIN = 128L << 10;

  /// Those of one kind of store.
  ///
  /// @param usual what the provider calls the class that objects are written in; empty where there
  ///   are no classes
  /// @param cheaper the others
  public record Known(String usual, List<StorageClass> cheaper) {
    /// Of a store without classes.
    public static final Known NONE = new Known("", List.of());

    /// Of S3, us-east-1; those of one zone keep no promise that acknowledged writes rest on.
    static final Known S3 =
        new Known(
            "STANDARD",
            List.of(
                new StorageClass("STANDARD_IA", 0.0125, 0.01, 30, S3_BYTES_MIN),
                new StorageClass("GLACIER_IR", 0.004, 0.03, 90, S3_BYTES_MIN)));

    /// Of Google Cloud Storage, one region.
    static final Known GOOGLE =
        new Known(
            "STANDARD",
            List.of(
                new StorageClass("NEARLINE", 0.010, 0.01, 30, 0),
                new StorageClass("COLDLINE", 0.004, 0.02, 90, 0)));

    /// Of Azure Blob Storage, locally redundant.
    static final Known AZURE =
        new Known(
            "Hot",
            List.of(
                new StorageClass("Cool", 0.010, 0.01, 30, 0),
                new StorageClass("Cold", 0.0036, 0.03, 90, 0)));

    public Known {
      cheaper = List.copyOf(cheaper);
    }

    /// The cheaper class of that name, however it is written.
    public Optional<StorageClass> find(String name) {
      return cheaper.stream().filter(one -> one.name().equalsIgnoreCase(name)).findFirst();
    }

    /// Whether an object that was listed so is in the class that it was written in.
    public boolean isUsual(String listed) {
      return listed.isEmpty() || listed.equalsIgnoreCase(usual);
    }

    /// For people.
    public List<String> names() {
      return cheaper.stream().map(StorageClass::name).toList();
    }
  }

  /// Of keeping an object for so long in this class.
  double keptDollars(long bytes, double months) {
    double least = daysMin / StorePrices.MONTH_DAYS;
    return dollarsPerGigabyteMonth * 1e-9 * Math.max(bytes, bytesMin) * Math.max(months, least);
  }

  /// Of reading so much.
  public double readDollars(double bytes) {
    return dollarsPerGigabyteRead * 1e-9 * bytes;
  }
}

package dev.holdfast.cost;

import dev.holdfast.objectstore.ObjectStore;
import dev.holdfast.objectstore.ObjectStore.Listed;
import dev.holdfast.objectstore.StoreException;
import dev.holdfast.objectstore.count.IndexRequests;
import dev.holdfast.objectstore.count.StorageClass;
import dev.holdfast.objectstore.count.StorePrices;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/// What lies in the store, as a list of all of it tells.
///
/// @param atMillis when it was looked at, epoch milliseconds
/// @param isComplete whether the list was as long as it may be
/// @param byFolder bytes by the first part of their keys: `shards`, `log`, …
/// @param byIndex bytes of blobs by the index's uuid
/// @param byClass by storage class, as it is listed
/// @param classesByIndex bytes of blobs by the index's uuid, and then by storage class
public record KeptBytes(
    long atMillis,
    long objects,
    long bytes,
    boolean isComplete,
    SortedMap<String, Long> byFolder,
    SortedMap<String, Long> byIndex,
    SortedMap<String, OfClass> byClass,
    SortedMap<String, SortedMap<String, Long>> classesByIndex) {
  /// Objects of one storage class.
  public record OfClass(long objects, long bytes) {
    OfClass plus(OfClass other) {
      return new OfClass(objects + other.objects, bytes + other.bytes);
    }
  }

  /// A request lists so many objects, for half a thousandth of a cent on S3.
  private static final int PAGE = 1000;

  /// No look takes more requests.
  static final int PAGES_MAX = 1000;

  public KeptBytes {
    byFolder = Collections.unmodifiableSortedMap(new TreeMap<>(byFolder));
    byIndex = Collections.unmodifiableSortedMap(new TreeMap<>(byIndex));
    byClass = Collections.unmodifiableSortedMap(new TreeMap<>(byClass));
    classesByIndex = Collections.unmodifiableSortedMap(new TreeMap<>(classesByIndex));
  }

  /// Of keeping all of it for a month.
  public double dollars(StorePrices prices) {
    double dollars = 0;
    for (Map.Entry<String, OfClass> of : byClass.entrySet()) {
      dollars += prices.keptDollars(of.getKey(), (double) of.getValue().bytes());
    }
    return dollars;
  }

  /// What reading from cheaper classes costs a month, if all blobs of an index are read alike.
  ///
  /// @param bytesReadAMonth of an index, by its uuid
  public double readDollars(StorePrices prices, ToDoubleFunction<String> bytesReadAMonth) {
    double dollars = 0;
    for (Map.Entry<String, SortedMap<String, Long>> index : classesByIndex.entrySet()) {
      String uuid = index.getKey();
      double kept = Math.max(1.0, byIndex.getOrDefault(uuid, 0L).doubleValue());
      for (Map.Entry<String, Long> of : index.getValue().entrySet()) {
        StorageClass cheaper = prices.classes().find(of.getKey()).orElse(null);
        if (cheaper != null) {
          double share = of.getValue() / kept;
          dollars += cheaper.readDollars(share * bytesReadAMonth.applyAsDouble(uuid));
        }
      }
    }
    return dollars;
  }

  public static KeptBytes look(ObjectStore store, long nowMillis) throws StoreException {
    return look(store, nowMillis, PAGE, PAGES_MAX);
  }

  static KeptBytes look(ObjectStore store, long nowMillis, int page, int pagesMax)
      throws StoreException {
    SortedMap<String, Long> byFolder = new TreeMap<>();
    SortedMap<String, Long> byIndex = new TreeMap<>();
    SortedMap<String, OfClass> byClass = new TreeMap<>();
    SortedMap<String, SortedMap<String, Long>> classesByIndex = new TreeMap<>();
    long objects = 0;
    long bytes = 0;
    String after = "";
    for (int i = 0; i < pagesMax; i++) {
      List<Listed> listed = store.list("", after, page);
      for (Listed object : listed) {
        String key = object.key();
        int slash = key.indexOf('/');
        objects++;
        bytes += object.length();
        byClass.merge(object.storageClass(), new OfClass(1, object.length()), OfClass::plus);
        byFolder.merge(slash < 0 ? key : key.substring(0, slash), object.length(), Long::sum);
        String index = IndexRequests.index(key);
        if (!index.isEmpty()) {
          boolean isTold = byIndex.size() < IndexRequests.INDICES_MAX || byIndex.containsKey(index);
          String told = isTold ? index : IndexRequests.REST;
          byIndex.merge(told, object.length(), Long::sum);
          classesByIndex
              .computeIfAbsent(told, _ -> new TreeMap<>())
              .merge(object.storageClass(), object.length(), Long::sum);
        }
        after = key;
      }
      if (listed.size() < page) {
        return new KeptBytes(
            nowMillis, objects, bytes, true, byFolder, byIndex, byClass, classesByIndex);
      }
    }
    return new KeptBytes(
        nowMillis, objects, bytes, false, byFolder, byIndex, byClass, classesByIndex);
  }
}

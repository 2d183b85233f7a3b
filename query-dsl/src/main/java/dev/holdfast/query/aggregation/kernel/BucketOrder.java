package dev.holdfast.query.aggregation.kernel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// In which order buckets are answered: by these criteria in turn, by key at last.
public record BucketOrder(List<Criterion> criteria) {
  public static final BucketOrder KEY_ASCENDING =
      new BucketOrder(List.of(new Criterion("_key", true)));
  public static final BucketOrder COUNT_DESCENDING =
      new BucketOrder(List.of(new Criterion("_count", false)));

  /// `_key`, `_count`, or the path of a sub-aggregation's number.
  public record Criterion(String path, boolean isAscending) {
    public Comparator<Bucket> comparator() {
      Comparator<Bucket> ascending =
          switch (path) {
            case "_key" -> Bucket.BY_KEY;
            case "_count" -> Comparator.comparingLong(Bucket::count);
            default -> null;
          };
      if (ascending != null) {
        return isAscending ? ascending : ascending.reversed();
      }
      return (a, b) -> compareNanLast(a.metric(path), b.metric(path));
    }

    private int compareNanLast(double a, double b) {
      if (Double.isNaN(a) || Double.isNaN(b)) {
        return Boolean.compare(Double.isNaN(a), Double.isNaN(b));
      }
      return isAscending ? Double.compare(a, b) : Double.compare(b, a);
    }
  }

  public BucketOrder {
    criteria = List.copyOf(criteria);
  }

  public static BucketOrder parse(@Nullable JsonNode order, BucketOrder whenAbsent) {
    if (order == null || order.isNull()) {
      return whenAbsent;
    }
    List<Criterion> criteria = new ArrayList<>();
    if (order.isArray()) {
      if (order.isEmpty()) {
        throw new Refusal(ErrorType.X_CONTENT_PARSE, "[terms] failed to parse field [order]");
      }
      order.forEach(each -> criteria.add(criterion(each)));
    } else {
      criteria.add(criterion(order));
    }
    return new BucketOrder(criteria);
  }

  public Comparator<Bucket> comparator() {
    Comparator<Bucket> all = Bucket.BY_KEY;
    for (int i = criteria.size() - 1; i >= 0; i--) {
      all = criteria.get(i).comparator().thenComparing(all);
    }
    return all;
  }

  public boolean isByKey() {
    return criteria.getFirst().path().equals("_key");
  }

  public boolean isByKeyAscending() {
    return isByKey() && criteria.getFirst().isAscending();
  }

  public boolean isByCountDescending() {
    Criterion first = criteria.getFirst();
    return first.path().equals("_count") && !first.isAscending();
  }

  /// Whether numbers of sub-aggregations decide.
  public boolean needsChildren() {
    return criteria.stream()
        .anyMatch(one -> !one.path().equals("_key") && !one.path().equals("_count"));
  }

  private static Criterion criterion(JsonNode order) {
    if (!(order instanceof ObjectNode object) || object.size() != 1) {
      throw new Refusal(ErrorType.PARSING, "Must specify at least one field for [order]: " + order);
    }
    String given = object.fieldNames().next();
    // Names of old.
    String path = given.equals("_time") || given.equals("_term") ? "_key" : given;
    return switch (object.get(given).asText().toLowerCase(Locale.ROOT)) {
      case "asc" -> new Criterion(path, true);
      case "desc" -> new Criterion(path, false);
      default ->
          throw new Refusal(
              ErrorType.PARSING, "Unknown order direction [" + object.get(given).asText() + "]");
    };
  }
}

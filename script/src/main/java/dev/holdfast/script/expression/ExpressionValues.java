package dev.holdfast.script.expression;

import dev.holdfast.script.value.DocValuesOfField;
import dev.holdfast.script.value.DocumentValues;
import dev.holdfast.script.value.GeoPoint;
import dev.holdfast.script.value.UnsignedLongs;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What expressions read of documents, and their functions. What is missing is 0.
public final class ExpressionValues {
  private static final double EARTH_DIAMETER_KM = 2 * 6371.0087714;

  private static final Set<String> CALLS =
      Set.of(
          "avg",
          "count",
          "getDayOfMonth",
          "getHourOfDay",
          "getMinutes",
          "getMonth",
          "getSeconds",
          "getYear",
          "max",
          "median",
          "min",
          "sum");

  private static final Set<String> DATE_PARTS =
      Set.of(
          "centuryOfEra",
          "dayOfMonth",
          "dayOfWeek",
          "dayOfYear",
          "era",
          "hourOfDay",
          "millisOfDay",
          "millisOfSecond",
          "minuteOfDay",
          "minuteOfHour",
          "monthOfYear",
          "secondOfDay",
          "secondOfMinute",
          "weekOfWeekyear",
          "weekyear",
          "year",
          "yearOfCentury",
          "yearOfEra");

  private static final Set<String> VARIABLES = Set.of("empty", "lat", "length", "lon", "value");

  private ExpressionValues() {}

  static boolean isMember(String name, boolean isCall) {
    return isCall
        ? CALLS.contains(name)
        : VARIABLES.contains(name)
            || (name.startsWith("date.") && DATE_PARTS.contains(name.substring(5)));
  }

  /// A parameter or the value of an aggregation.
  public static double number(@Nullable Object value) {
    return switch (value) {
      case Number n -> n.doubleValue();
      case Boolean is -> is ? 1 : 0;
      case ZonedDateTime at -> at.toInstant().toEpochMilli();
      case null, default ->
          throw new IllegalArgumentException(
              "Parameter must be a numeric type, but was [" + value + "]");
    };
  }

  /// A member of a field of the document.
  public static double of(Map<?, ?> doc, String field, String member) {
    DocValuesOfField<?> values = ((DocumentValues) doc).get(field);
    if (member.equals("empty")) {
      return values.isEmpty() ? 1 : 0;
    }
    if (member.equals("length") || member.equals("count()")) {
      return values.size();
    }
    if (values.isEmpty()) {
      return 0;
    }
    Object first = values.get(0);
    if (first instanceof GeoPoint(double lat, double lon)) {
      return switch (member) {
        case "lat" -> lat;
        case "lon" -> lon;
        default -> throw wrong(field, member);
      };
    }
    if (first instanceof ZonedDateTime at && !isNumeric(member)) {
      return part(at, member.startsWith("date.") ? member.substring(5) : member);
    }
    if (!(first instanceof Number || first instanceof Boolean || first instanceof ZonedDateTime)) {
      throw new IllegalArgumentException(
          "Field [" + field + "] must be numeric, date, or geopoint");
    }
    List<?> all = values instanceof UnsignedLongs large ? large.doubles() : values;
    double[] numbers = all.stream().mapToDouble(ExpressionValues::number).toArray();
    return switch (member) {
      case "value" -> numbers[0];
      case "min()" -> Arrays.stream(numbers).min().orElse(0);
      case "max()" -> Arrays.stream(numbers).max().orElse(0);
      case "sum()" -> Arrays.stream(numbers).sum();
      case "avg()" -> Arrays.stream(numbers).average().orElse(0);
      case "median()" -> {
        Arrays.sort(numbers);
        int middle = numbers.length / 2;
        yield numbers.length % 2 == 1
            ? numbers[middle]
            : (numbers[middle - 1] + numbers[middle]) / 2;
      }
      default -> throw wrong(field, member);
    };
  }

  private static boolean isNumeric(String member) {
    return switch (member) {
      case "value", "min()", "max()", "sum()", "avg()", "median()" -> true;
      default -> false;
    };
  }

  private static IllegalArgumentException wrong(String field, String member) {
    return new IllegalArgumentException(
        "Member [" + member + "] does not exist for field [" + field + "]");
  }

  private static double part(ZonedDateTime at, String name) {
    return switch (name) {
      case "centuryOfEra" -> Math.floorDiv(at.getYear(), 100);
      case "dayOfMonth", "getDayOfMonth()" -> at.getDayOfMonth();
      case "dayOfWeek" -> at.getDayOfWeek().getValue();
      case "dayOfYear" -> at.getDayOfYear();
      case "era" -> at.get(ChronoField.ERA);
      case "hourOfDay", "getHourOfDay()" -> at.getHour();
      case "millisOfDay" -> at.get(ChronoField.MILLI_OF_DAY);
      case "millisOfSecond" -> at.get(ChronoField.MILLI_OF_SECOND);
      case "minuteOfDay" -> at.get(ChronoField.MINUTE_OF_DAY);
      case "minuteOfHour", "getMinutes()" -> at.getMinute();
      case "monthOfYear" -> at.getMonthValue();
      case "getMonth()" -> at.getMonthValue() - 1;
      case "secondOfDay" -> at.get(ChronoField.SECOND_OF_DAY);
      case "secondOfMinute", "getSeconds()" -> at.getSecond();
      case "weekOfWeekyear" -> at.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
      case "weekyear" -> at.get(IsoFields.WEEK_BASED_YEAR);
      case "year", "getYear()" -> at.getYear();
      case "yearOfCentury" -> at.getYear() % 100;
      case "yearOfEra" -> at.get(ChronoField.YEAR_OF_ERA);
      default -> throw wrong("date", name);
    };
  }

  public static double abs(double a) {
    return Math.abs(a);
  }

  public static double acos(double a) {
    return Math.acos(a);
  }

  public static double acosh(double a) {
    return Math.log(a + Math.sqrt(a * a - 1));
  }

  public static double asin(double a) {
    return Math.asin(a);
  }

  public static double asinh(double a) {
    return Math.copySign(Math.log(Math.abs(a) + Math.sqrt(a * a + 1)), a);
  }

  public static double atan(double a) {
    return Math.atan(a);
  }

  public static double atan2(double y, double x) {
    return Math.atan2(y, x);
  }

  public static double atanh(double a) {
    return 0.5 * Math.log((1 + a) / (1 - a));
  }

  public static double ceil(double a) {
    return Math.ceil(a);
  }

  public static double cos(double a) {
    return Math.cos(a);
  }

  public static double cosh(double a) {
    return Math.cosh(a);
  }

  public static double exp(double a) {
    return Math.exp(a);
  }

  public static double floor(double a) {
    return Math.floor(a);
  }

  /// Kilometers between two places.
  public static double haversin(double lat1, double lon1, double lat2, double lon2) {
    double a = Math.toRadians(lat1);
    double b = Math.toRadians(lat2);
    double h =
        (1 - Math.cos(a - b)) / 2
            + Math.cos(a) * Math.cos(b) * (1 - Math.cos(Math.toRadians(lon1 - lon2))) / 2;
    return EARTH_DIAMETER_KM * Math.asin(Math.min(1, Math.sqrt(h)));
  }

  public static double ln(double a) {
    return Math.log(a);
  }

  public static double log10(double a) {
    return Math.log10(a);
  }

  public static double logn(double base, double a) {
    return Math.log(a) / Math.log(base);
  }

  public static double max(double a, double b) {
    return Math.max(a, b);
  }

  public static double min(double a, double b) {
    return Math.min(a, b);
  }

  public static double pow(double a, double b) {
    return Math.pow(a, b);
  }

  public static double sin(double a) {
    return Math.sin(a);
  }

  public static double sinh(double a) {
    return Math.sinh(a);
  }

  public static double sqrt(double a) {
    return Math.sqrt(a);
  }

  public static double tan(double a) {
    return Math.tan(a);
  }

  public static double tanh(double a) {
    return Math.tanh(a);
  }
}

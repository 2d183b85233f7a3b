package dev.holdfast.http;

import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A request to an API, checked against its route: only declared parameters, a body as the route
/// takes it.
///
/// @param path as sent, without the query
/// @param pathValues decoded values of the route's `{names}`
/// @param parameters decoded query parameters in order; the last of one name counts
/// @param large a body of lines too large for `body`, which is empty then; null for none
/// @param accepts the format that the client asked for by `Accept` or `format`, null when it did
///   not say
/// @param isCancelled asked by long work: the client has gone
public record ApiRequest(
    Verb verb,
    String path,
    Map<String, String> pathValues,
    Map<String, String> parameters,
    HeaderValues headers,
    RequestBody body,
    @Nullable LargeBody large,
    @Nullable Format accepts,
    BooleanSupplier isCancelled) {
  /// Before the name of a path value, in whose place there is another: what the client wrote.
  public static final String GIVEN = "given ";

  /// A request with its body in memory.
  public ApiRequest(
      Verb verb,
      String path,
      Map<String, String> pathValues,
      Map<String, String> parameters,
      HeaderValues headers,
      RequestBody body,
      @Nullable Format accepts,
      BooleanSupplier isCancelled) {
    this(verb, path, pathValues, parameters, headers, body, null, accepts, isCancelled);
  }

  /// The path value or query parameter of that name, or null when absent; path values win.
  public @Nullable String text(String name) {
    String value = pathValues.get(name);
    return value != null ? value : parameters.get(name);
  }

  public String text(String name, String whenAbsent) {
    String value = text(name);
    return value == null ? whenAbsent : value;
  }

  /// A path value that the route always has.
  public String required(String name) {
    String value = text(name);
    if (value == null) {
      throw Refusal.badArgument("parameter [" + name + "] is required");
    }
    return value;
  }

  /// A path value as the client wrote it: with the dates that names of indices may have.
  public String given(String name) {
    String given = pathValues.get(GIVEN + name);
    return given != null ? given : required(name);
  }

  public boolean has(String name) {
    return pathValues.containsKey(name) || parameters.containsKey(name);
  }

  /// `true`, `false`, or nothing after the name, which means true.
  public boolean flag(String name, boolean whenAbsent) {
    String value = text(name);
    return switch (value) {
      case null -> whenAbsent;
      case "", "true" -> true;
      case "false" -> false;
      default ->
          throw Refusal.badArgument(
              "Failed to parse value [" + value + "] as only [true] or [false] are allowed.");
    };
  }

  public int integer(String name, int whenAbsent) {
    String value = text(name);
    try {
      return value == null ? whenAbsent : Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw notANumber("int", name, value, e);
    }
  }

  /// @param value of the parameter
  /// @throws Refusal `illegal_argument_exception` when it is no number
  public float decimal(String name, String value) {
    try {
      return Float.parseFloat(value);
    } catch (NumberFormatException e) {
      throw notANumber("float", name, value, e);
    }
  }

  public long longValue(String name, long whenAbsent) {
    String value = text(name);
    try {
      return value == null ? whenAbsent : Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw notANumber("long", name, value, e);
    }
  }

  /// A duration as Elasticsearch writes it: `30s`, `500ms`, `-1`.
  public Duration duration(String name, Duration whenAbsent) {
    String value = text(name);
    return value == null ? whenAbsent : TimeValue.parse(name, value);
  }

  /// The same; null when absent.
  public @Nullable Duration duration(String name) {
    String value = text(name);
    return value == null ? null : TimeValue.parse(name, value);
  }

  /// The values between commas, without empty ones; an empty list when absent.
  public List<String> list(String name) {
    String value = text(name);
    List<String> values = new ArrayList<>();
    if (value != null) {
      for (String part : value.split(",", -1)) {
        if (!part.isBlank()) {
          values.add(part.trim());
        }
      }
    }
    return values;
  }

  /// The same of a path that says what shall be deleted: commas alone name nothing.
  ///
  /// @throws Refusal when it names nothing
  public List<String> names(String name) {
    List<String> names = list(name);
    if (names.isEmpty()) {
      throw new Refusal(
          ErrorType.ACTION_REQUEST_VALIDATION,
          "Validation Failed: 1: no names specified: [" + text(name, "") + "] names nothing;");
    }
    return names;
  }

  /// Whether numbers shall be accompanied by a form for people.
  public boolean human() {
    return flag("human", false);
  }

  private static Refusal notANumber(
      String kind, String name, @Nullable String value, NumberFormatException e) {
    return new Refusal(
        ErrorType.ILLEGAL_ARGUMENT,
        "Failed to parse " + kind + " parameter [" + name + "] with value [" + value + "]",
        new Refusal(ErrorType.NUMBER_FORMAT, String.valueOf(e.getMessage())));
  }
}

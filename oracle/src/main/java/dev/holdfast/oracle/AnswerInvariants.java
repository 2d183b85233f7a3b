package dev.holdfast.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What every answer must be, whatever was asked.
final class AnswerInvariants {
  /// Error types that say that nobody thought of this request.
  private static final Pattern ACCIDENT =
      Pattern.compile(
          "\"type\":\\s*\"("
              + "null_pointer_exception|class_cast_exception|index_out_of_bounds_exception"
              + "|array_index_out_of_bounds_exception|string_index_out_of_bounds_exception"
              + "|negative_array_size_exception|stack_overflow_error|out_of_memory_error|assertion_error"
              + "|no_such_element_exception|concurrent_modification_exception|array_store_exception"
              + "|unsupported_encoding_exception|buffer_overflow_exception|buffer_underflow_exception"
              + "|exception|runtime_exception|uncategorized_execution_exception|internal_error)\"");

  private static final Pattern STATUS = Pattern.compile("\"status\":\\s*(5\\d\\d)\\b");

  /// By design: a shard that is opening, a node that stops.
  private static final int UNAVAILABLE = 503;

  private AnswerInvariants() {}

  /// What is wrong with an answer; empty when nothing is.
  static Optional<String> broken(OracleRequest request, OracleAnswer answer) {
    if (answer.status() >= 500 && answer.status() != UNAVAILABLE) {
      return Optional.of("status " + answer.status());
    }
    String text = answer.text();
    Matcher accident = ACCIDENT.matcher(text);
    if (answer.contentType().contains("json") && accident.find() && !isOfScript(text)) {
      return Optional.of("error type " + accident.group(1));
    }
    Matcher inner = STATUS.matcher(text);
    if (isOfMany(request) && inner.find() && !inner.group(1).equals("503")) {
      return Optional.of("a part with status " + inner.group(1));
    }
    if (!answer.isError() || request.method().equals("HEAD")) {
      return Optional.empty();
    }
    return misshapen(answer);
  }

  /// What a script throws is its author's accident.
  private static boolean isOfScript(String text) {
    return text.contains("\"type\":\"script_exception\"");
  }

  private static boolean isOfMany(OracleRequest request) {
    return request.path().contains("_bulk")
        || request.path().contains("_msearch")
        || request.path().contains("_mget");
  }

  /// A refusal has `error` (an object with `type` and `reason`, or a text where Elasticsearch has
  /// one too) and `status`; a document that is not there has its id; a request by query that ended
  /// early says what it did, and lists the failures that ended it.
  private static Optional<String> misshapen(OracleAnswer answer) {
    JsonNode json = answer.json();
    if (!answer.contentType().contains("json")) {
      return answer.contentType().matches(".*(yaml|cbor|smile|text/plain).*")
          ? Optional.empty()
          : Optional.of("a refusal of content type [" + answer.contentType() + "]");
    }
    JsonNode error = json.path("error");
    if (error.isMissingNode()) {
      boolean isAbsence =
          answer.status() == 404 && (json.has("_id") || json.has("found") || json.isObject());
      boolean isByQuery =
          json.has("version_conflicts")
              && (answer.status() == 409 || !json.path("failures").isEmpty());
      return isAbsence || isByQuery
          ? Optional.empty()
          : Optional.of("a refusal without error, status " + answer.status());
    }
    boolean isSearchThatFailed = json.has("is_partial");
    if (!isSearchThatFailed
        && !error.isTextual()
        && json.path("status").asInt(-1) != answer.status()) {
      return Optional.of(
          "status " + answer.status() + ", but the body says " + json.path("status"));
    }
    if (error.isTextual()) {
      return Optional.empty();
    }
    return error.path("type").isTextual() && error.path("root_cause").isArray()
        ? Optional.empty()
        : Optional.of("an error without type or root_cause, status " + answer.status());
  }
}

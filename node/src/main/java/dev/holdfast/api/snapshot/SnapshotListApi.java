package dev.holdfast.api.snapshot;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.http.Answer;
import dev.holdfast.http.ApiRequest;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Json;
import dev.holdfast.world.Refusal;
import dev.holdfast.world.text.Wildcards;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// `GET /_snapshot/{repository}/{snapshot}`: snapshots of one or more repositories, a page of them.
public final class SnapshotListApi {
  private static final String SORT = "start_time";
  private static final String NO_POLICY = "_none";

  private final NamedSnapshots snapshots;

  SnapshotListApi(NamedSnapshots snapshots) {
    this.snapshots = snapshots;
  }

  /// What a request says of the page that it wants.
  private record Page(
      int size, int offset, boolean isDescending, SnapshotSort sort, @Nullable String from) {}

  public Answer handle(ApiRequest request) throws Exception {
    boolean isVerbose = request.flag("verbose", true);
    Page page = page(request, isVerbose);
    ShownSnapshot.Parts parts =
        new ShownSnapshot.Parts(
            isVerbose,
            request.flag("index_names", true),
            request.flag("index_details", false),
            request.flag("include_repository", true),
            request.human());
    List<String> policies = request.list("slm_policy_filter");
    List<String> states = states(request);
    String after = request.text("after");
    List<ShownSnapshot> all = new ArrayList<>();
    NamedSnapshots.Meant meant =
        snapshots.find(
            request.list("repository"),
            request.list("snapshot"),
            request.flag("ignore_unavailable", false));
    for (ShownSnapshot one : meant.snapshots()) {
      boolean isWanted =
          isOfPolicy(one, policies)
              && (states.isEmpty() || states.contains(one.manifest().state().shown()))
              && (page.from == null || !page.sort.isBefore(one, page.from, page.isDescending));
      if (isWanted) {
        all.add(one);
      }
    }
    Comparator<ShownSnapshot> order = page.sort.order();
    all.sort(page.isDescending ? order.reversed() : order);
    Answer answer = answer(all, page, after, parts);
    return meant.unread().isEmpty() ? answer : answer.warn(meant.warning());
  }

  private static Answer answer(
      List<ShownSnapshot> all, Page page, @Nullable String after, ShownSnapshot.Parts parts) {
    List<ShownSnapshot> left = new ArrayList<>(all);
    if (after != null) {
      String[] cursor = cursor(after);
      left.removeIf(one -> !page.sort.isBehind(one, cursor, page.isDescending));
    }
    int begin = Math.min(page.offset, left.size());
    int end = page.size < 0 ? left.size() : (int) Math.min(left.size(), (long) begin + page.size);
    ObjectNode json = Json.object();
    ArrayNode shown = json.putArray("snapshots");
    left.subList(begin, end).forEach(one -> shown.add(one.json(parts)));
    if (end < left.size()) {
      json.put("next", next(left.get(end - 1), page.sort));
    }
    json.put("total", all.size()).put("remaining", left.size() - end);
    return Answer.of(200, json);
  }

  private static Page page(ApiRequest request, boolean isVerbose) {
    int size = request.integer("size", -1);
    int offset = request.integer("offset", 0);
    String order = request.text("order", "asc").toLowerCase(Locale.ROOT);
    SnapshotSort sort = SnapshotSort.named(request.text("sort", SORT));
    String from = request.text("from_sort_value");
    List<String> wrong = new ArrayList<>();
    if (size == 0 || size < -1) {
      wrong.add("size must be -1 or greater than 0");
    }
    if (offset < 0) {
      wrong.add("offset must be non-negative");
    }
    if (offset > 0 && request.has("after")) {
      wrong.add("can't use after and offset simultaneously");
    }
    if (from != null && request.has("after")) {
      wrong.add("can't use after and from_sort_value simultaneously");
    }
    if (!isVerbose) {
      addUnusable(wrong, request);
    }
    if (!order.equals("asc") && !order.equals("desc")) {
      throw Refusal.badArgument(
          "No enum constant org.elasticsearch.search.sort.SortOrder."
              + order.toUpperCase(Locale.ROOT));
    }
    if (!wrong.isEmpty()) {
      StringBuilder reason = new StringBuilder("Validation Failed: ");
      for (int i = 0; i < wrong.size(); i++) {
        reason.append(i + 1).append(": ").append(wrong.get(i)).append(';');
      }
      throw new Refusal(ErrorType.ACTION_REQUEST_VALIDATION, reason.toString());
    }
    if (from != null) {
      sort.check(from);
    }
    return new Page(size, offset, order.equals("desc"), sort, from);
  }

  private static void addUnusable(List<String> wrong, ApiRequest request) {
    if (request.has("sort") && !request.text("sort", SORT).equals(SORT)) {
      wrong.add("can't use non-default sort with verbose=false");
    }
    if (request.integer("size", -1) > 0) {
      wrong.add("can't use size limit with verbose=false");
    }
    if (request.integer("offset", 0) > 0) {
      wrong.add("can't use offset with verbose=false");
    }
    if (request.has("after")) {
      wrong.add("can't use after with verbose=false");
    }
    if (request.has("from_sort_value")) {
      wrong.add("can't use from_sort_value with verbose=false");
    }
    if (request.text("order", "asc").equals("desc")) {
      wrong.add("can't use non-default sort order with verbose=false");
    }
    if (request.has("slm_policy_filter")) {
      wrong.add("can't use slm policy filter with verbose=false");
    }
  }

  private static List<String> states(ApiRequest request) {
    if (request.text("state", "_").isEmpty()) {
      throw Refusal.badArgument("[state] parameter must not be empty");
    }
    List<String> states =
        request.list("state").stream().map(one -> one.toUpperCase(Locale.ROOT)).toList();
    for (String state : states) {
      if (!List.of("IN_PROGRESS", "SUCCESS", "FAILED", "PARTIAL", "INCOMPATIBLE").contains(state)) {
        throw Refusal.badArgument("Unknown state name [" + state + "]");
      }
    }
    return states;
  }

  private static boolean isOfPolicy(ShownSnapshot one, List<String> filters) {
    String policy = one.manifest().about().path("metadata").path("policy").asText(NO_POLICY);
    boolean isMeant = filters.isEmpty() || filters.getFirst().startsWith("-");
    for (String filter : filters) {
      boolean isExcluding = filter.startsWith("-");
      if (Wildcards.matches(isExcluding ? filter.substring(1) : filter, policy)
          && (filter.endsWith(NO_POLICY) || !policy.equals(NO_POLICY))) {
        isMeant = !isExcluding;
      }
    }
    return isMeant;
  }

  private static String next(ShownSnapshot last, SnapshotSort sort) {
    String cursor = sort.value(last) + "," + last.repository() + "," + last.manifest().name();
    return Base64.getUrlEncoder().encodeToString(cursor.getBytes(StandardCharsets.UTF_8));
  }

  private static String[] cursor(String after) {
    try {
      String[] parts =
          new String(Base64.getUrlDecoder().decode(after), StandardCharsets.UTF_8).split(",", -1);
      if (parts.length == 3) {
        return parts;
      }
    } catch (IllegalArgumentException e) {
      throw invalid(after, e);
    }
    throw invalid(after, null);
  }

  private static Refusal invalid(String after, @Nullable Throwable e) {
    return new Refusal(ErrorType.ILLEGAL_ARGUMENT, "invalid ?after parameter [" + after + "]", e);
  }
}

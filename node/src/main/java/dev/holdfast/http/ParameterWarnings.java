package dev.holdfast.http;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Tells clients which of their query parameters had no effect: those that have none here, with the
/// reason, and those that nobody looked at because the rest of the request gave no occasion.
public final class ParameterWarnings {
  private static final String NO_OCCASION = "nothing else in the request makes use of them";

  private ParameterWarnings() {}

  /// The headers for an answered request, a `Warning` a reason.
  public static List<Header> of(Verb verb, Routes.Route route, RequestParameters given) {
    SortedMap<String, List<String>> idle = new TreeMap<>();
    for (String name : given.names()) {
      if (Routes.COMMON.contains(name)) {
        continue;
      }
      String why = IdleParameters.why(verb, route.segments(), name);
      if (why.isEmpty() && !given.isRead(name)) {
        why = NO_OCCASION;
      }
      if (!why.isEmpty()) {
        idle.computeIfAbsent(why, _ -> new ArrayList<>()).add(name);
      }
    }
    List<Header> headers = new ArrayList<>();
    idle.forEach((why, names) ->
        headers.add(
            Answer.warning("parameters " + names + " have no effect on this request: " + why)));
    return headers;
  }
}

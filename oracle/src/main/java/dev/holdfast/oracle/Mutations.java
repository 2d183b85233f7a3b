package dev.holdfast.oracle;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Every way to break a request.
final class Mutations {
  /// Names are what a report groups by.
  static final Map<String, Mutation> ALL = new LinkedHashMap<>();

  static {
    ALL.put("type swapped", JsonMutations::swapType);
    ALL.put("type swapped twice", twice(JsonMutations::swapType));
    ALL.put("value borrowed", JsonMutations::borrow);
    ALL.put("key renamed", JsonMutations::renameKey);
    ALL.put("key misspelt", JsonMutations::misspellKey);
    ALL.put("key duplicated", JsonMutations::duplicateKey);
    ALL.put("key dropped", JsonMutations::dropKey);
    ALL.put("number extreme", JsonMutations::extremeNumber);
    ALL.put("text extreme", JsonMutations::extremeText);
    ALL.put("text edited", JsonMutations::editText);
    ALL.put("script edited", JsonMutations::editScript);
    ALL.put("nested deeply", JsonMutations::deepen);
    ALL.put("repeated often", JsonMutations::multiply);
    ALL.put("from and size", JsonMutations::page);
    ALL.put("body cut", ByteMutations::cut);
    ALL.put("bytes flipped", ByteMutations::flip);
    ALL.put("broken UTF-8", ByteMutations::breakText);
    ALL.put("tokens shuffled", ByteMutations::shuffle);
    ALL.put("not a body", ByteMutations::replace);
    ALL.put("content type", PathMutations::contentType);
    ALL.put("method", PathMutations::method);
    ALL.put("parameter", PathMutations::parameter);
    ALL.put("path", PathMutations::path);
    ALL.put("api", PathMutations::api);
  }

  private Mutations() {}

  /// Names that contain an expression.
  static List<String> named(Pattern wanted) {
    return ALL.keySet().stream().filter(name -> wanted.matcher(name).find()).toList();
  }

  private static Mutation twice(Mutation mutation) {
    return (request, random) -> mutation.apply(mutation.apply(request, random), random);
  }
}

package dev.holdfast.oracle;

import java.util.List;
import java.util.Random;

/// One way to break a request. A new one is one line in [Mutations].
@FunctionalInterface
interface Mutation {
  /// A broken copy; the request itself where it has nothing that this could break.
  OracleRequest apply(OracleRequest request, Random random);

  /// Any element of a list.
  static <T> T any(List<T> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }
}

package dev.holdfast.search.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.world.WorkPool;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SearchPoolTest {
  @Test
  void aSearchForManyHitsLetsOthersGoFirst() throws Exception {
    List<String> called = new ArrayList<>();
    WorkPool pool =
        (WorkPool)
            Proxy.newProxyInstance(
                WorkPool.class.getClassLoader(),
                new Class<?>[] {WorkPool.class},
                (_, method, _) -> {
                  called.add(method.getName());
                  return List.of();
                });
    SearchPool searches = new SearchPool(pool);

    searches.all(10, List.of(() -> 1));
    searches.all(SearchPool.HITS_SMALL, List.of(() -> 1));
    searches.all(SearchPool.HITS_SMALL + 1, List.of(() -> 1));

    assertThat(called).containsExactly("callAll", "callAll", "callAllLarge");
  }
}

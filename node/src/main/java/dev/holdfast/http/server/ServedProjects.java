package dev.holdfast.http.server;

import dev.holdfast.http.HeaderValues;
import dev.holdfast.http.Routes;
import dev.holdfast.http.spool.SpoolFile;
import dev.holdfast.world.Breakers;
import dev.holdfast.world.Refusal;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Whose APIs answer a request: those of the node, or of the project that it names.
@FunctionalInterface
public interface ServedProjects {
  /// @return null for a request that names none
  /// @throws Refusal when it names one that there is not, or that is not open here yet
  @Nullable Served of(HeaderValues headers) throws Refusal;

  /// Looks whether a request may send its body at all. Called by event loops: it waits for nothing,
  /// and says nothing of names, which [#of] does.
  ///
  /// @throws Refusal 429 when its project has sent too much
  default void admit(HeaderValues headers) throws Refusal {}

  /// A project that is open.
  interface Served {
    Routes routes();

    /// The budgets of its requests.
    Breakers memory();

    /// A request has come.
    ///
    /// @param bytes of its body
    /// @throws Refusal 429 when it is too much at once
    void admit(HeaderValues headers, long bytes) throws Refusal;

    /// A body lies in a file and is about to be read.
    void slow(HeaderValues headers, SpoolFile body);

    /// Runs what its requests do.
    <T> T during(Supplier<T> work);
  }
}

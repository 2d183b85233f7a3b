package dev.holdfast.objectstore.lent;

import dev.holdfast.objectstore.StoreException;
import java.util.Optional;

/// Which objects are read in place of others.
///
/// Whoever says that the copy is there says so before the lender may go: an object without a lender
/// is there itself, if it ever was to be, and one whose lender is gone is, too.
@FunctionalInterface
public interface Lenders {
  /// The key of the object with the same bytes that is there; empty for none.
  ///
  /// @throws StoreException when that cannot be found out now
  Optional<String> of(String key) throws StoreException;
}

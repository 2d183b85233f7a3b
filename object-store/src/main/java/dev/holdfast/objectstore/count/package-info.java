/// What is asked of a store, counted by purpose and kind and priced in dollars. It goes below
/// `retry`, so that every attempt is counted that the provider would bill.
@NullMarked
package dev.holdfast.objectstore.count;

import org.jspecify.annotations.NullMarked;

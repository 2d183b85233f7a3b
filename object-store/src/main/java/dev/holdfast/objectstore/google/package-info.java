/// A store in a bucket of Google Cloud Storage: conditional writes by generation. `GoogleFailures`
/// sorts every error into what a caller does next.
@NullMarked
package dev.holdfast.objectstore.google;

import org.jspecify.annotations.NullMarked;

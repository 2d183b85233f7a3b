/// `filter_path`: which parts of an answer are written. It works on the events of a stream, holds
/// nothing of the answer, and is used by one thread at a time.
@NullMarked
package dev.holdfast.http.filter;

import org.jspecify.annotations.NullMarked;

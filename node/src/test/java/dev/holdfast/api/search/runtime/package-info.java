/// Values of runtime fields as searches show and count them, over HTTP.
@NullMarked
package dev.holdfast.api.search.runtime;

import org.jspecify.annotations.NullMarked;

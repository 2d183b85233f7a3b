/// `_analyze`: a text taken apart by the analyser of an index or of the request.
@NullMarked
package dev.holdfast.api.indices.analysis;

import org.jspecify.annotations.NullMarked;

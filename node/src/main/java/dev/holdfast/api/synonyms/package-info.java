/// Sets of synonym rules that the cluster keeps, and the analysers that use them.
@NullMarked
package dev.holdfast.api.synonyms;

import org.jspecify.annotations.NullMarked;

/// Questions about one shard that are no searches: JSON in, JSON out, so that the shard may be
/// anywhere.
@NullMarked
package dev.holdfast.query.question;

import org.jspecify.annotations.NullMarked;

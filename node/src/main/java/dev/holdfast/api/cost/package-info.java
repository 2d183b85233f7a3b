/// `GET /_holdfast/cost`: what the store costs, by the account that the leader keeps; and the
/// shares of the budget, which the leader gives to nodes that ask. A leader that does not answer
/// changes nothing: nodes go on as they were told.
@NullMarked
package dev.holdfast.api.cost;

import org.jspecify.annotations.NullMarked;

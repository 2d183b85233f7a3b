/// What the store costs: the account of the cluster's requests by day, what it keeps, and the
/// budget that a setting names. Data and pure functions, but for the look at what is kept; called
/// by the APIs of operators and by the settings of the cluster. What a person cannot mean is
/// refused.
@NullMarked
package dev.holdfast.cost;

import org.jspecify.annotations.NullMarked;

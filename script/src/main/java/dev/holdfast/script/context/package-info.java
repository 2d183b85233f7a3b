/// The contexts that scripts run in: for each the class they extend, with the variables and
/// functions they have there.
@NullMarked
package dev.holdfast.script.context;

import org.jspecify.annotations.NullMarked;

package dev.holdfast.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.script.context.MovingFunctions;
import org.junit.jupiter.api.Test;

/// Forecasts of moving functions: the numbers are those of a server that has Painless.
final class MovingFunctionsTest {
  @Test
  void trendsBeginFlat() {
    double[] three = {8, 10, 10};
    assertThat(MovingFunctions.holt(three, 0.3, 0.2)).isCloseTo(9.104, within(1e-9));
    double[] seven = {6, 7, 7, 8, 8, 5, 7};
    assertThat(MovingFunctions.holtWinters(seven, 0.3, 0.2, 0.1, 3, false))
        .isCloseTo(6.860902464, within(1e-9));
    assertThat(MovingFunctions.holtWinters(seven, 0.3, 0.2, 0.1, 3, true))
        .isCloseTo(7.36745525093213, within(1e-9));
  }
}

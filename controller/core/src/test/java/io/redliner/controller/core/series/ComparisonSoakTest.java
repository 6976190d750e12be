// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.series;

import org.junit.jupiter.api.Tag;

@Tag("soak")
class ComparisonSoakTest extends RegressionComparisonTest {

    @Override
    int series() {
        return 4_000;
    }
}

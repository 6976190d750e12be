// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.series;

import org.junit.jupiter.api.Tag;

@Tag("soak")
class ComparisonSoakTest extends ComparisonTest {

    ComparisonSoakTest() {
        super(4_000);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Tag;

@Tag("soak")
@PropertyDefaults(tries = 3_000)
class ExpositionFormatFuzzSoakTest extends ExpositionFormatFuzzTest {}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.windowing;

import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Tag;

@Tag("soak")
@PropertyDefaults(tries = 200)
class WindowAggregatorInvariantsSoakTest extends WindowAggregatorInvariantsTest {}

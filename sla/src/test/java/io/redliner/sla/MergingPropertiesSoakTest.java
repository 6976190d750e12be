// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Tag;

/** The properties of merging with the number of tries of the full suite. */
@Tag("soak")
@PropertyDefaults(tries = Tries.FULL)
class MergingPropertiesSoakTest extends MergingPropertiesTest {}

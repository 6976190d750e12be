// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Tag;

/** The properties of rules with the number of tries of the full suite. */
@Tag("soak")
@PropertyDefaults(tries = Tries.FULL)
class RulePropertiesSoakTest extends RulePropertiesTest {}

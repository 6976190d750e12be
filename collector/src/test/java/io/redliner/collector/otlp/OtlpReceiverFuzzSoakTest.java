// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Tag;

@Tag("soak")
@PropertyDefaults(tries = 2_000)
class OtlpReceiverFuzzSoakTest extends OtlpReceiverFuzzTest {}

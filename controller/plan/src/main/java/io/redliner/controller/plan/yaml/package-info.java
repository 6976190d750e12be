// SPDX-License-Identifier: Apache-2.0
/** Reads plans from YAML and JSON, and reports mistakes with their place in the text. */
@NullMarked
package io.redliner.controller.plan.yaml;

import org.jspecify.annotations.NullMarked;

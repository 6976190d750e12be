// SPDX-License-Identifier: Apache-2.0
/** The pages of the dashboard. They hold no data: browsers ask the public REST API for it. */
@NullMarked
package io.redliner.controller.dashboard;

import org.jspecify.annotations.NullMarked;

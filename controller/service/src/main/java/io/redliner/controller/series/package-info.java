// SPDX-License-Identifier: Apache-2.0
/** Profiles that are made of several runs, one after another: scalability and regression. */
@NullMarked
package io.redliner.controller.series;

import org.jspecify.annotations.NullMarked;

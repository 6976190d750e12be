// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.dashboard;

import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** Each view has an address of its own, which can be shared. Of what it is about a page knows the name alone. */
@Controller
class PageController {

    private static final String SUBJECT = "subject";

    /** In the place of a plan's name: there is none yet. */
    private static final String NEW = "new";

    @GetMapping("/")
    String overview() {
        return "overview";
    }

    @GetMapping("/runs")
    String runs() {
        return "runs";
    }

    @GetMapping("/runs/{id}")
    String run(@PathVariable String id, Model model) {
        model.addAttribute(SUBJECT, id);
        return "run";
    }

    @GetMapping("/series/{id}")
    String series(@PathVariable String id, Model model) {
        model.addAttribute(SUBJECT, id);
        return "series";
    }

    @GetMapping("/services/{service}")
    String service(@PathVariable String service, Model model) {
        model.addAttribute(SUBJECT, service);
        return "service";
    }

    @GetMapping("/plans")
    String plans() {
        return "plans";
    }

    @GetMapping("/plans/{name}")
    String plan(@PathVariable String name, Model model) {
        model.addAttribute(SUBJECT, name);
        model.addAttribute("heading", name.equals(NEW) ? "New plan" : name);
        return "plan";
    }

    @GetMapping("/schedules")
    String schedules() {
        return "schedules";
    }

    @GetMapping("/audit")
    String audit() {
        return "audit";
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/**
 * Serves the pages of the dashboard. Each view has its own address, which can be shared. A page contains only the name of what it
 * shows; scripts fetch the data from the API.
 */
@Controller
class DashboardController {

    private static final String SUBJECT = "subject";

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

    /** Answers browsers that ask for an icon without having read a page. */
    @GetMapping("/favicon.ico")
    String icon() {
        return "forward:/redliner.svg";
    }

    @GetMapping("/services")
    String services() {
        return "services";
    }

    @GetMapping("/plans")
    String plans() {
        return "plans";
    }

    /** Returns the page of a new plan. No stored plan can have its address. */
    @GetMapping("/plans:new")
    String newPlan() {
        return "plan";
    }

    @GetMapping("/plans/{name}")
    String plan(@PathVariable String name, Model model) {
        model.addAttribute(SUBJECT, name);
        return "plan";
    }

    @GetMapping("/kill-switch")
    String killSwitch() {
        return "kill-switch";
    }

    @GetMapping("/schedules")
    String schedules() {
        return "schedules";
    }

    @GetMapping("/notifications")
    String notifications() {
        return "notifications";
    }

    @GetMapping("/audit")
    String audit() {
        return "audit";
    }
}

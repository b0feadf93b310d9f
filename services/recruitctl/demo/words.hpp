// The words demo records are made of. Names are common ones of many countries; companies and streets are invented, and
// all addresses end in .example (RFC 2606), so that nothing can ever reach a real person.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace recruiting::recruitctl::demo_words {

using word = std::string_view;

struct place {
    word name; // of the office
    word city;
    word region;
    word country_code;
    word currency;
    word phone; // country and area code
};

struct role {
    word title;
    word department;
    std::int64_t salary; // a year, in euros: the middle of its range
    bool engineering;    // has a technical interview and a work sample
    word mission;        // what the person does, for the description
    word skills;         // separated by ;
};

inline constexpr auto first_names = std::to_array<word>(
    {"Ada",       "Adrian",    "Aisha",   "Akira",  "Alejandro", "Aleksandra", "Alice",    "Amara",  "Amélie",
     "Ana",       "Anders",    "Andrea",  "Anika",  "Anna",      "Antoine",    "Arjun",    "Astrid", "Ayşe",
     "Bartosz",   "Beatriz",   "Ben",     "Björn",  "Camille",   "Carlos",     "Chiara",   "Chidi",  "Chloé",
     "Clara",     "Daniel",    "Daria",   "David",  "Deepa",     "Diego",      "Dmitri",   "Ebru",   "Elena",
     "Elif",      "Emma",      "Emre",    "Erik",   "Eva",       "Ewa",        "Fatima",   "Felix",  "Finn",
     "Francesca", "Freja",     "Gabriel", "Giulia", "Grace",     "Hana",       "Hannah",   "Hassan", "Helena",
     "Hiroshi",   "Hugo",      "Ibrahim", "Ida",    "Ines",      "Ingrid",     "Isabel",   "Ivan",   "Jakub",
     "James",     "Jan",       "Jasmin",  "João",   "Johanna",   "Jonas",      "José",     "Julia",  "Kai",
     "Karim",     "Katarzyna", "Kenji",   "Kofi",   "Lars",      "Laura",      "Layla",    "Lea",    "Leon",
     "Liam",      "Lin",       "Lina",    "Lucas",  "Lucía",     "Maja",       "Malik",    "Marco",  "Maria",
     "Marta",     "Mateusz",   "Matteo",  "Maya",   "Mei",       "Mia",        "Mohammed", "Nadia",  "Natalia",
     "Niamh",     "Nikhil",    "Nina",    "Noah",   "Nora",      "Olivia",     "Omar",     "Oscar",  "Paola",
     "Pedro",     "Petra",     "Priya",   "Rafael", "Raj",       "Renata",     "Rosa",     "Ruth",   "Samir",
     "Sara",      "Sean",      "Sofia",   "Stefan", "Sven",      "Tatiana",    "Thomas",   "Tomás",  "Valentina",
     "Viktor",    "Wei",       "Yara",    "Yusuf",  "Zofia",     "Zoë"});

inline constexpr auto last_names = std::to_array<word>(
    {"Abdi",      "Adeyemi",  "Ahmed",     "Andersen",     "Bakker",    "Banerjee", "Baumann",  "Becker",
     "Bernard",   "Bianchi",  "Björk",     "Brown",        "Bruno",     "Campbell", "Carvalho", "Castro",
     "Chen",      "Costa",    "Costello",  "da Silva",     "Das",       "de Vries", "Delgado",  "Demir",
     "Diallo",    "Dubois",   "Eriksson",  "Evans",        "Fernández", "Ferrari",  "Fischer",  "Fontaine",
     "Fuchs",     "García",   "Garnier",   "Gomes",        "González",  "Gruber",   "Gupta",    "Haddad",
     "Hansen",    "Hartmann", "Hoffmann",  "Horváth",      "Huber",     "Hughes",   "Ivanova",  "Jansen",
     "Janssen",   "Jensen",   "Johansson", "Kaya",         "Keller",    "Khan",     "Kim",      "Klein",
     "Kobayashi", "Kowalski", "Krüger",    "Kumar",        "Lambert",   "Larsen",   "Lee",      "Lefèvre",
     "Lehmann",   "Leroy",    "Li",        "Lindgren",     "López",     "Lund",     "MacLeod",  "Maier",
     "Marino",    "Martin",   "Martínez",  "Mehta",        "Mensah",    "Meyer",    "Mueller",  "Müller",
     "Murphy",    "Nakamura", "Nguyen",    "Nielsen",      "Novák",     "Nowak",    "O'Brien",  "O'Connor",
     "Okafor",    "Olsen",    "Öztürk",    "Papadopoulos", "Park",      "Patel",    "Pereira",  "Petrov",
     "Popescu",   "Ramírez",  "Ricci",     "Rossi",        "Roux",      "Santos",   "Sato",     "Schmidt",
     "Schneider", "Schulz",   "Sharma",    "Silva",        "Singh",     "Smith",    "Sørensen", "Suzuki",
     "Svensson",  "Taylor",   "Torres",    "van den Berg", "Varga",     "Wagner",   "Walker",   "Wang",
     "Weber",     "Weiß",     "Williams",  "Wiśniewska",   "Wójcik",    "Yamamoto", "Yılmaz",   "Zhang",
     "Zimmermann"});

inline constexpr auto companies = std::to_array<word>(
    {"Altiplano Logistics", "Aurora Analytics",  "Bluefin Systems",     "Brightwater Bank",  "Cedar & Stone",
     "Cloudberry",          "Copperleaf Energy", "Delta Nine Software", "Driftwood Media",   "Elbe Robotics",
     "Evergreen Foods",     "Fairmont Health",   "Foxglove Labs",       "Granite Insurance", "Halcyon Mobility",
     "Harbour Digital",     "Indigo Retail",     "Ironbridge Tools",    "Juniper Lane",      "Kestrel Aerospace",
     "Lakeshore Clinics",   "Lumen Optics",      "Maple Street Studio", "Meridian Telecom",  "Nordlicht Energie",
     "North Quay Shipping", "Oakridge Capital",  "Orchid Biotech",      "Parallel Nine",     "Pinewood Games",
     "Quarry Steel",        "Redwood Payments",  "Riverbend Motors",    "Saffron Travel",    "Silverline Rail",
     "Stellar Freight",     "Tangent Design",    "Terra Agritech",      "Umber Audio",       "Vantage Security",
     "Westwind Turbines",   "Zephyr Air"});

inline constexpr auto sources =
    std::to_array<word>({"careers_page", "careers_page", "careers_page", "linkedin", "linkedin", "referral",
                         "job_board", "job_board", "agency", "university", "event"});

inline constexpr auto rejection_reasons =
    std::to_array<word>({"Not enough experience", "Position filled", "Salary expectation", "Skills do not match",
                         "No work permit", "Other candidate preferred", "Did not appear at the interview"});

inline constexpr auto places = std::to_array<place>({{"Berlin HQ", "Berlin", "Berlin", "DE", "EUR", "+49 30"},
                                                     {"Munich", "München", "Bayern", "DE", "EUR", "+49 89"},
                                                     {"Hamburg", "Hamburg", "Hamburg", "DE", "EUR", "+49 40"},
                                                     {"Vienna", "Wien", "Wien", "AT", "EUR", "+43 1"},
                                                     {"Zurich", "Zürich", "Zürich", "CH", "CHF", "+41 44"},
                                                     {"Amsterdam", "Amsterdam", "Noord-Holland", "NL", "EUR", "+31 20"},
                                                     {"Paris", "Paris", "Île-de-France", "FR", "EUR", "+33 1"},
                                                     {"London", "London", "England", "GB", "GBP", "+44 20"},
                                                     {"Warsaw", "Warszawa", "Mazowieckie", "PL", "PLN", "+48 22"},
                                                     {"Lisbon", "Lisboa", "Lisboa", "PT", "EUR", "+351 21"},
                                                     {"Madrid", "Madrid", "Madrid", "ES", "EUR", "+34 91"},
                                                     {"Stockholm", "Stockholm", "Stockholm", "SE", "SEK", "+46 8"},
                                                     {"Austin", "Austin", "Texas", "US", "USD", "+1 512"},
                                                     {"Toronto", "Toronto", "Ontario", "CA", "CAD", "+1 416"}});

inline constexpr auto roles = std::to_array<role>(
    {{"Backend Engineer", "Engineering", 78000, true, "design and run the services that direct our fleets of robots",
      "c++;postgresql;linux;distributed-systems"},
     {"Robotics Engineer", "Engineering", 80000, true, "turn sensor data into movements that are safe around people",
      "c++;ros;kinematics;control"},
     {"Frontend Engineer", "Engineering", 70000, true, "build the screens from which warehouses are run",
      "typescript;accessibility;web;testing"},
     {"Embedded Software Engineer", "Engineering", 76000, true, "write the firmware of motors, grippers and batteries",
      "c;rtos;can-bus;electronics"},
     {"Machine Learning Engineer", "Engineering", 84000, true, "teach our robots to grasp what they have never seen",
      "python;perception;pytorch;data"},
     {"Site Reliability Engineer", "Engineering", 80000, true, "keep the platform up, measured and calm at night",
      "linux;kubernetes;observability;networking"},
     {"Test Engineer", "Engineering", 65000, true, "find what breaks before a customer does",
      "testing;python;hardware-in-the-loop;quality"},
     {"Data Engineer", "Data", 74000, true, "give the whole company numbers it can trust",
      "sql;postgresql;warehouse;python"},
     {"Data Analyst", "Data", 58000, false, "answer the questions behind the questions", "sql;statistics;dashboards"},
     {"Product Manager", "Product", 82000, false, "decide with engineers and customers what we build next",
      "roadmaps;research;b2b"},
     {"Product Designer", "Product", 66000, false, "make complicated machines simple to work with",
      "ux;prototyping;research"},
     {"Technical Writer", "Product", 56000, false, "write the manuals people actually read",
      "documentation;api;english"},
     {"Account Executive", "Sales", 68000, false, "win the customers whose warehouses we automate",
      "b2b;negotiation;logistics"},
     {"Sales Engineer", "Sales", 72000, false, "show customers what is possible, and what is not",
      "presales;robotics;english"},
     {"Customer Success Manager", "Customer Success", 58000, false, "make sure each installation pays off",
      "b2b;onboarding;german"},
     {"Support Specialist", "Customer Success", 44000, false, "be the first voice a customer hears",
      "support;troubleshooting;english"},
     {"Field Service Technician", "Operations", 46000, false, "install and repair robots where they work",
      "electrics;mechanics;travel"},
     {"Supply Chain Manager", "Operations", 64000, false, "get parts to the line on the day they are needed",
      "procurement;erp;planning"},
     {"Production Planner", "Operations", 50000, false, "balance orders, people and machines", "erp;planning;lean"},
     {"Mechanical Engineer", "Hardware", 68000, false, "design parts that survive ten million cycles",
      "cad;fea;prototyping"},
     {"Electrical Engineer", "Hardware", 70000, false, "design boards for power, sensing and safety",
      "pcb;power-electronics;emc"},
     {"Recruiter", "People", 52000, false, "find the people this page is for", "sourcing;interviewing;english"},
     {"People Operations Specialist", "People", 46000, false, "make the first day and every payday work",
      "payroll;onboarding;german"},
     {"Accountant", "Finance", 52000, false, "close the books quickly and correctly", "ifrs;datev;german"},
     {"Financial Analyst", "Finance", 60000, false, "tell the story behind the plan", "modelling;sql;ifrs"},
     {"Marketing Manager", "Marketing", 58000, false, "explain what we do to those who need it", "content;events;b2b"},
     {"Legal Counsel", "Legal", 76000, false, "find the way that works, and write it down", "contracts;gdpr;english"}});

inline constexpr auto seniorities = std::to_array<word>({"", "", "Junior ", "Senior ", "Senior ", "Lead ", "Staff "});

} // namespace recruiting::recruitctl::demo_words

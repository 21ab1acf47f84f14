from pathlib import Path
from typing import Dict

from settlement_sdk import SettlementClient


def read_settings() -> Dict[str, str]:
    """The settings of the file .env: NAME=value, one in each line."""
    lines = (Path(__file__).parent / ".env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


SETTINGS = read_settings()


def create_client() -> SettlementClient:
    """The client of your partner."""
    names = ("SETTLEMENT_URL", "API_KEY", "API_SECRET")
    return SettlementClient(*(SETTINGS[name] for name in names), brand=SETTINGS["BRAND"])

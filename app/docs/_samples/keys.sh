export SETTLEMENT_URL=$(node -p "require('./.data/sandbox.json').base_url")
export API_KEY=$(node -p "require('./.data/sandbox.json').partner.api_key")
export API_SECRET=$(node -p "require('./.data/sandbox.json').partner.api_secret")
export CALLBACK_SECRET=$(node -p "require('./.data/sandbox.json').partner.callback_secret")
